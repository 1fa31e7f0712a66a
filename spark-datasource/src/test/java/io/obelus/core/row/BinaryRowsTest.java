package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.PaimonRows;
import io.obelus.testing.RandomRows;
import io.obelus.testing.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.utils.SerializationUtils;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class BinaryRowsTest {

  private static RowType type(String... types) {
    List<Column> columns = new ArrayList<>();
    for (String type : types) {
      columns.add(new Column(columns.size(), "c" + columns.size(), ColumnTypes.parse(type)));
    }
    return new RowType(columns);
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private static UTF8String text(String text) {
    return UTF8String.fromString(text);
  }

  private static Decimal decimal(String text, int precision, int scale) {
    return Decimal.apply(new BigDecimal(text), precision, scale);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /** One line of the worked examples of the chapter: written, hashed and read back. */
  private static void example(RowType type, InternalRow row, String bytes, int hash) {
    BinaryRows rows = new BinaryRows(type);
    byte[] written = rows.write(row);
    assertThat(hex(written)).isEqualTo(bytes.replace(" ", ""));
    assertThat(RowHash.ofImage(rows.image(row))).isEqualTo(hash);
    assertThat(new RowHash(type, IntStream.range(0, type.size()).toArray()).of(row))
        .isEqualTo(hash);
    InternalRow read = rows.read(written);
    assertThat(rows.write(read)).isEqualTo(written);
    assertThat(read).isEqualTo(row);
  }

  @Test
  void whole_numbers_stand_in_their_slot() {
    String fortyTwo = "00000001 0000000000000000 2a00000000000000";
    example(type("INT"), row(42), fortyTwo, 907821237);
    example(type("BIGINT"), row(42L), fortyTwo, 907821237);
    BinaryRows ints = new BinaryRows(type("INT"));
    assertThat(IntStream.of(0, 1, 3).map(i -> RowHash.ofImage(ints.image(row(i)))))
        .containsExactly(-300363099, 1465514398, -771300025);
  }

  @Test
  void short_texts_stand_in_their_slot_and_long_ones_behind() {
    example(
        type("STRING"), row(text("abc")), "00000001 0000000000000000 6162630000000083", -101922419);
    example(type("STRING"), row(text("")), "00000001 0000000000000000 0000000000000080", 302122119);
    example(
        type("INT", "STRING"),
        row(258, text("1234567")),
        "00000002 0000000000000000 0201000000000000 3132333435363787",
        57975945);
    example(
        type("STRING"),
        row(text("12345678")),
        "00000001 0000000000000000 0800000010000000 3132333435363738",
        -391021801);
    example(
        type("STRING"),
        row(text("hello world!")),
        "00000001 0000000000000000 0c00000010000000 68656c6c6f20776f 726c642100000000",
        609810467);
    assertThat(new BinaryRows(type("STRING")).write(row(text("2024-01-01"))))
        .isEqualTo(
            hex("00000001 0000000000000000 0a00000010000000 323032342d30312d 3031000000000000"));
  }

  @Test
  void decimals_are_a_number_up_to_18_digits_and_16_bytes_above() {
    example(
        type("DECIMAL(20,2)"),
        row(decimal("-1.25", 20, 2)),
        "00000001 0000000000000000 0100000010000000 8300000000000000 0000000000000000",
        1715008836);
    example(
        type("DECIMAL(10,2)"),
        row(decimal("-1.25", 10, 2)),
        "00000001 0000000000000000 83ffffffffffffff",
        -645235724);
  }

  @Test
  void a_decimal_of_another_scale_is_written_in_the_columns_scale() {
    for (String type : List.of("DECIMAL(10,2)", "DECIMAL(20,2)")) {
      BinaryRows rows = new BinaryRows(type(type));
      assertThat(rows.write(row(decimal("-1.2500", 20, 4))))
          .isEqualTo(rows.write(row(decimal("-1.25", 20, 2))));
    }
  }

  @Test
  void time_stamps_are_milliseconds_and_the_nanoseconds_beyond() {
    example(
        type("TIMESTAMP(3)"),
        row(1700000000123000L),
        "00000001 0000000000000000 7b68e5cf8b010000",
        -1285420957);
    example(
        type("TIMESTAMP(6)"),
        row(1700000000123456L),
        "00000001 0000000000000000 40f5060010000000 7b68e5cf8b010000",
        1196670069);
  }

  @Test
  void time_stamps_before_1970_round_down_and_lose_what_spark_cannot_hold() {
    BinaryRows millis = new BinaryRows(type("TIMESTAMP(3)"));
    assertThat(millis.read(millis.write(row(-1L))).getLong(0)).isEqualTo(-1000L);
    BinaryRows micros = new BinaryRows(type("TIMESTAMP(6)"));
    assertThat(micros.write(row(-1L)))
        .isEqualTo(hex("00000001 0000000000000000 583e0f0010000000 ffffffffffffffff"));
    byte[] nanos = hex("00000001 0000000000000000 3f420f0010000000 ffffffffffffffff");
    assertThat(new BinaryRows(type("TIMESTAMP(9)")).read(nanos).getLong(0)).isEqualTo(-1L);
  }

  @Test
  void small_fixed_types_leave_the_rest_of_their_slot_zero() {
    example(
        type("BOOLEAN", "TINYINT", "SMALLINT", "FLOAT", "DOUBLE", "DATE"),
        row(true, (byte) -1, (short) -2, 1.5f, -2.5, 19723),
        "00000006 0000000000000000 0100000000000000 ff00000000000000 feff000000000000"
            + "0000c03f00000000 00000000000004c0 0b4d000000000000",
        -472670384);
  }

  @Test
  void null_decimals_and_time_stamps_keep_their_room() {
    example(
        type("INT", "STRING", "DECIMAL(20,2)", "TIMESTAMP(6)", "DECIMAL(10,2)", "TIMESTAMP(3)"),
        row(null, null, null, null, null, null),
        "00000006 003f000000000000 0000000000000000 0000000000000000 0000000038000000"
            + "0000000048000000 0000000000000000 0000000000000000 0000000000000000"
            + "0000000000000000 0000000000000000",
        2111030177);
  }

  @Test
  void arrays_and_rows_are_images_behind_the_slots() {
    RowType arrays =
        new RowType(
            List.of(new Column(0, "a", new ColumnType.Array(ColumnTypes.parse("INT"), true))));
    example(
        arrays,
        row(new GenericArrayData(new Object[] {1, null, 3})),
        "00000001 0000000000000000 1800000010000000 0300000002000000 0100000000000000"
            + "0300000000000000",
        1830759751);
    RowType nested =
        new RowType(
            List.of(new Column(0, "r", new ColumnType.Row(type("INT", "STRING").columns(), true))));
    example(
        nested,
        row(row(1, text("hello world!"))),
        "00000001 0000000000000000 2800000010000000 0000000000000000 0100000000000000"
            + "0c00000018000000 68656c6c6f20776f 726c642100000000",
        1963058383);
  }

  @Test
  void the_row_without_columns_is_eight_zero_bytes() {
    example(RowType.EMPTY, row(), "00000000 0000000000000000", -1670924195);
    assertThat(new BinaryRows(RowType.EMPTY).write(row())).isEqualTo(RowBytes.EMPTY.bytes());
  }

  @Test
  void what_stands_in_the_slot_of_a_null_column_does_not_matter() {
    byte[] bytes = hex("00000001 0001000000000000 ffffffffffffff7f");
    assertThat(new BinaryRows(type("STRING")).read(bytes).isNullAt(0)).isTrue();
  }

  @Test
  void flat_rows_have_the_bytes_and_the_hash_that_the_other_engine_gives_them() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.flatType(random, sizeOf(random));
          BinaryRows rows = new BinaryRows(type);
          Projection projection = projection(type);
          for (int i = 0; i < 50; i++) {
            InternalRow row = RandomRows.row(random, type);
            BinaryRow theirs = projection.apply(PaimonRows.row(row, type));
            assertThat(hex(rows.image(row))).isEqualTo(hex(theirs.toBytes()));
            assertThat(hex(rows.write(row)))
                .isEqualTo(hex(SerializationUtils.serializeBinaryRow(theirs)));
            assertThat(RowHash.ofImage(rows.image(row))).isEqualTo(theirs.hashCode());
          }
        });
  }

  @Test
  void rows_with_parts_have_the_bytes_that_the_other_engine_gives_them() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.type(random, sizeOf(random));
          BinaryRows rows = new BinaryRows(type);
          Projection projection = projection(type);
          for (int i = 0; i < 20; i++) {
            InternalRow row = RandomRows.row(random, type);
            BinaryRow theirs = projection.apply(PaimonRows.row(row, type));
            assertThat(hex(rows.image(row))).isEqualTo(hex(theirs.toBytes()));
          }
        });
  }

  @Test
  void rows_that_the_other_engine_wrote_are_read() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.type(random, sizeOf(random));
          BinaryRows rows = new BinaryRows(type);
          InternalRowSerializer theirs = new InternalRowSerializer(PaimonRows.type(type));
          for (int i = 0; i < 20; i++) {
            InternalRow row = RandomRows.row(random, type);
            byte[] bytes =
                SerializationUtils.serializeBinaryRow(
                    theirs.toBinaryRow(PaimonRows.row(row, type)));
            InternalRow read = rows.read(bytes);
            assertThat(hex(rows.write(read))).isEqualTo(hex(rows.write(row)));
          }
        });
  }

  /** What the other engine sends bucket keys and partitions through. */
  private static Projection projection(RowType type) {
    return CodeGenUtils.newProjection(
        PaimonRows.type(type), IntStream.range(0, type.size()).toArray());
  }

  private static int sizeOf(Random random) {
    int[] sizes = {1, 2, 5, 56, 57};
    return sizes[random.nextInt(sizes.length)];
  }

  @Test
  void spark_rows_of_other_layouts_are_written_alike() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.type(random, 4);
          UnsafeProjection unsafe = UnsafeProjection.create(type.toSpark());
          BinaryRows rows = new BinaryRows(type);
          for (int i = 0; i < 20; i++) {
            InternalRow row = RandomRows.row(random, type);
            assertThat(hex(rows.write(unsafe.apply(row)))).isEqualTo(hex(rows.write(row)));
          }
        });
  }

  @Test
  void damaged_bytes_are_an_illegal_argument_or_another_row_and_nothing_else() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.type(random, 1 + random.nextInt(5));
          BinaryRows rows = new BinaryRows(type);
          byte[] good = rows.write(RandomRows.row(random, type));
          for (int i = 0; i < 300; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 1));
            for (int n = random.nextInt(4); n > 0 && bad.length > 0; n--) {
              bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
              rows.read(bad);
            } catch (IllegalArgumentException e) {
              assertThat(e).hasMessageMatching("(?s).+");
            }
          }
        });
  }

  @Test
  void damage_is_described() {
    assertDamage("INT", "00000002 0000000000000000", "should have 1 columns but has 2");
    assertDamage("INT", "0000", "bytes 0 to 4 are pointed to, but there are only 2");
    assertDamage(
        "INT", "00000001 0000000000000000", "bytes 8 to 12 are pointed to, but there are only 8");
    assertDamage(
        "INT", "00000001 0400000000000000 0000000000000000", "row kind should be 0 to 3 but is 4");
    assertDamage(
        "STRING",
        "00000001 0000000000000000 ffffff7f10000000",
        "bytes 16 to 2147483663 are pointed to, but there are only 16");
    assertDamage(
        "STRING",
        "00000001 0000000000000000 ffffffff10000000",
        "bytes 16 to 15 are pointed to, but there are only 16");
    assertDamage(
        "STRING",
        "00000001 0000000000000000 0000000000000088",
        "a short text should have 0 to 7 bytes but has 8");
    assertDamage(
        "BOOLEAN",
        "00000001 0000000000000000 0200000000000000",
        "a boolean should be 0 or 1 but is 2");
    assertDamage(
        "DECIMAL(3, 1)",
        "00000001 0000000000000000 e803000000000000",
        "a DECIMAL(3, 1) is 100.0, which has more digits");
    assertDamage(
        "TIMESTAMP(6)",
        "00000001 0000000000000000 40420f0010000000 0000000000000000",
        "nanoseconds of a millisecond should be 0 to 999999 but are 1000000");
    assertDamage(
        "TIMESTAMP(3)",
        "00000001 0000000000000000 ffffffffffffff7f",
        "more than microseconds can count");
  }

  private static void assertDamage(String type, String bytes, String message) {
    assertThatThrownBy(() -> new BinaryRows(type(type)).read(hex(bytes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void an_array_that_claims_more_elements_than_its_bytes_is_refused_before_memory_is_taken() {
    RowType arrays =
        new RowType(
            List.of(new Column(0, "a", new ColumnType.Array(ColumnTypes.parse("INT"), true))));
    byte[] bytes = hex("00000001 0000000000000000 0800000010000000 ffffff7f00000000");
    assertThatThrownBy(() -> new BinaryRows(arrays).read(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an array of 8 bytes says that it has 2147483647 elements");
  }

  @Test
  void a_variant_column_is_refused_by_name() {
    assertThatThrownBy(() -> new BinaryRows(type("INT", "VARIANT")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("column 'c1': values of type VARIANT have no counterpart");
  }
}
