package io.obelus.core.file.index.bitmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.index.key.KeyedIndexes;
import io.obelus.core.file.index.key.PaimonIndexes;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.testing.GoldenIndexes;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BitmapIndexTest {

  private static final BitmapIndex KIND = new BitmapIndex();

  private static final String[] TYPES = {
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "STRING",
    "CHAR(3)",
    "DATE",
    "TIME(3)",
    "TIMESTAMP(3)",
    "TIMESTAMP(6)",
    "TIMESTAMP(9)",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE"
  };

  static List<GoldenIndex> goldens() {
    return GoldenIndexes.of("bitmap");
  }

  private static BitmapReader<?> reader(ColumnType type, byte[] bytes, long rowCount)
      throws IOException {
    return KIND.reader(type, KeyedIndexes.payload(bytes), rowCount);
  }

  private static Column column(String type) {
    return new Column(0, "c", ColumnTypes.parse(type));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void every_condition_on_an_index_of_paimon_is_answered_right(GoldenIndex golden)
      throws IOException {
    KeyedIndexes.checkQueries(golden, reader(golden.type(), golden.payload(), golden.rowCount()));
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void an_index_of_paimon_holds_the_values_of_its_column(GoldenIndex golden) throws IOException {
    BitmapReader<?> reader = reader(golden.type(), golden.payload(), golden.rowCount());
    if (reader.countsValues()) {
      RowSelection all = RowSelection.all(golden.rowCount());
      assertThat(counts(reader, all)).isEqualTo(counts(golden.values(), all));
    }
    for (Object value : new HashSet<>(golden.values())) {
      if (value != null) {
        Predicate leaf = new Compare(golden.column(), Comparison.EQUAL, value);
        assertThat(reader.evaluate(leaf, false).positions())
            .isEqualTo(KeyedIndexes.matching(golden.column(), golden.values(), leaf, false));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void our_index_differs_from_paimons_in_the_order_of_bitmaps_only(GoldenIndex golden)
      throws IOException {
    byte[] ours = KeyedIndexes.write(KIND, golden.type(), golden.options(), golden.values());
    assertThat(ours).hasSameSizeAs(golden.payload());
    KeyedIndexes.checkQueries(golden, reader(golden.type(), ours, golden.rowCount()));
    if (isFreeOfChoice(golden)) {
      assertThat(ours).isEqualTo(golden.payload());
    }
  }

  /** Version 2 with one bitmap in the body at most, or nulls and one more. */
  private static boolean isFreeOfChoice(GoldenIndex golden) {
    return List.of(
            "bitmap-v2-all-distinct",
            "bitmap-v2-all-null",
            "bitmap-v2-one-value",
            "bitmap-v2-zero-rows",
            "bitmap-v1-all-null")
        .contains(golden.name());
  }

  private static Map<Object, Long> counts(BitmapReader<?> reader, RowSelection within)
      throws IOException {
    Map<Object, Long> counts = new HashMap<>();
    reader.countValues(
        within, (value, rows) -> assertThat(counts.put(value, rows)).as("%s", value).isNull());
    return counts;
  }

  private static Map<Object, Long> counts(List<Object> values, RowSelection within) {
    Map<Object, Long> counts = new HashMap<>();
    for (RowSelection.Run run : within.runs(0, within.rowCount())) {
      for (long row = run.from(); row < run.to(); row++) {
        counts.merge(groupOf(values.get((int) row)), 1L, Long::sum);
      }
    }
    return counts;
  }

  private static Object groupOf(Object value) {
    if (value instanceof Float real) {
      return 0.0f + real;
    }
    return value instanceof Double real ? (Object) (0.0 + real) : value;
  }

  private static Map<String, String> randomOptions(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Map.of("version", "1");
      case 1 -> Map.of("index-block-size", random.nextInt(200) + " b");
      default -> Map.of();
    };
  }

  @Test
  void what_we_write_we_answer_as_a_look_at_every_row_does() {
    Seeds.each(
        60,
        random -> {
          Column column = column(TYPES[random.nextInt(TYPES.length)]);
          List<Object> values =
              KeyedIndexes.values(random, column.type(), KeyedIndexes.rowCount(random));
          byte[] bytes = KeyedIndexes.write(KIND, column.type(), randomOptions(random), values);
          BitmapReader<?> reader = reader(column.type(), bytes, values.size());
          for (int i = values.size() > 10_000 ? 8 : 40; i > 0; i--) {
            Predicate leaf = KeyedIndexes.leaf(random, column, values);
            boolean negated = random.nextBoolean();
            Candidates answer = reader.evaluate(leaf, negated);
            KeyedIndexes.checkAgainstRows(answer, column, values, leaf, negated);
            assertThat(answer.isAny() && reader.countsValues() && reader.valueCount() <= 1000)
                .as("cannot answer %s", leaf)
                .isFalse();
          }
          if (reader.countsValues()) {
            RowSelection within = RowSelection.all(values.size());
            assertThat(counts(reader, within)).isEqualTo(counts(values, within));
            Positions deleted = new Positions();
            for (int i = random.nextInt(100); i > 0 && !values.isEmpty(); i--) {
              deleted.add(random.nextInt(values.size()));
            }
            within = within.without(deleted);
            assertThat(counts(reader, within)).isEqualTo(counts(values, within));
          }
        });
  }

  @Test
  void paimon_reads_what_we_write_and_we_read_what_it_writes() {
    Seeds.each(
        40,
        random -> {
          Column column = column(TYPES[random.nextInt(TYPES.length)]);
          Map<String, String> options =
              random.nextInt(3) == 0
                  ? Map.of("version", "1")
                  : Map.of("index-block-size", 150 + random.nextInt(400) + " b");
          List<Object> values =
              KeyedIndexes.values(random, column.type(), KeyedIndexes.rowCount(random));
          byte[] ours = KeyedIndexes.write(KIND, column.type(), options, values);
          byte[] theirs = PaimonIndexes.write("bitmap", column.type(), options, values);
          assertThat(ours).hasSameSizeAs(theirs);
          BitmapReader<?> reader = reader(column.type(), ours, values.size());
          BitmapReader<?> ofTheirs = reader(column.type(), theirs, values.size());
          for (int i = 0; i < 10; i++) {
            Predicate leaf = KeyedIndexes.leaf(random, column, values);
            boolean negated = random.nextBoolean();
            assertThat(ofTheirs.evaluate(leaf, negated)).isEqualTo(reader.evaluate(leaf, negated));
            assertThat(PaimonIndexes.rows("bitmap", column, ours, leaf))
                .as("%s", leaf)
                .isEqualTo(PaimonIndexes.rows("bitmap", column, theirs, leaf));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"BIGINT", "STRING"})
  void values_that_all_differ_have_the_bytes_of_paimons(String type) throws IOException {
    Column column = column(type);
    List<Object> values = KeyedIndexes.manyDistinct(column.type(), 100_000);
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    assertThat(bytes).isEqualTo(PaimonIndexes.write("bitmap", column.type(), Map.of(), values));
    BitmapReader<?> reader = reader(column.type(), bytes, values.size());
    Predicate leaf = new Compare(column, Comparison.EQUAL, values.get(70_001));
    assertThat(reader.evaluate(leaf, false)).hasToString("exactly {70001}");
    assertThat(reader.evaluate(new Compare(column, Comparison.LESS, values.get(5)), false))
        .as("too many values for ranges")
        .isEqualTo(Candidates.any());
  }

  @Test
  void memory_is_that_of_the_different_values_and_of_a_code_a_row() {
    IndexWriter writer = KIND.writer(column("STRING").type(), IndexOptions.NONE);
    long empty = writer.memory();
    UTF8String text = UTF8String.fromString("x".repeat(1000));
    GenericInternalRow row = new GenericInternalRow(new Object[] {text});
    for (int i = 0; i < 100_000; i++) {
      writer.add(row, 0);
    }
    assertThat(writer.memory() - empty).isBetween(490_000L, 510_000L); // 1 + 4 to sort
    for (int i = 0; i < 10_000; i++) {
      row.update(0, UTF8String.fromString("x".repeat(1000) + i));
      writer.add(row, 0);
    }
    assertThat(writer.memory() - empty).isBetween(10_500_000L, 22_000_000L);
  }

  @Test
  void a_text_larger_than_a_block_has_a_block_of_its_own() throws IOException {
    Column column = column("STRING");
    UTF8String large = UTF8String.fromString("m".repeat(40_000));
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      values.add(i % 1000 == 5 ? large : UTF8String.fromString("k" + i % 7));
    }
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    BitmapReader<?> reader = reader(column.type(), bytes, 3000);
    assertThat(reader.evaluate(new Compare(column, Comparison.EQUAL, large), false).positions())
        .hasToString("{5,1005,2005}");
    Predicate leaf = new Compare(column, Comparison.EQUAL, large);
    assertThat(PaimonIndexes.rows("bitmap", column, bytes, leaf)).hasToString("{5,1005,2005}");
  }

  @Test
  void zero_has_one_value_and_nulls_are_no_other_value() throws IOException {
    Column column = column("DOUBLE");
    List<Object> values = Arrays.asList(0.0, -0.0, 1.0, null, Double.NaN);
    for (String version : new String[] {"1", "2"}) {
      byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of("version", version), values);
      BitmapReader<?> reader = reader(column.type(), bytes, 5);
      for (double zero : new double[] {0.0, -0.0}) {
        Predicate leaf = new Compare(column, Comparison.EQUAL, zero);
        assertThat(reader.evaluate(leaf, false)).hasToString("exactly {0,1}");
        assertThat(reader.evaluate(leaf, true)).hasToString("exactly {2,4}");
        leaf = new Predicate.In(column, List.of(zero, 7.0));
        assertThat(reader.evaluate(leaf, false)).hasToString("exactly {0,1}");
        assertThat(reader.evaluate(leaf, true)).hasToString("exactly {2,4}");
        leaf = new Compare(column, Comparison.GREATER, zero);
        assertThat(reader.evaluate(leaf, false)).hasToString("exactly {2,4}");
      }
    }
  }

  @Test
  void an_equal_time_down_to_the_microsecond_may_be_another_time() throws IOException {
    Column column = column("TIMESTAMP(9)");
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), Arrays.asList(5L, 6L, null));
    BitmapReader<?> reader = reader(column.type(), bytes, 3);
    Predicate leaf = new Compare(column, Comparison.EQUAL, 5L);
    assertThat(reader.evaluate(leaf, false)).hasToString("at most {0}");
    assertThat(reader.evaluate(leaf, true)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new Predicate.In(column, List.of(5L, 7L)), false))
        .hasToString("at most {0}");
    leaf = new Compare(column, Comparison.NOT_EQUAL, 5L);
    assertThat(reader.evaluate(leaf, false)).isEqualTo(Candidates.any());
    leaf = new Compare(column, Comparison.LESS, 6L);
    assertThat(reader.evaluate(leaf, false)).isEqualTo(Candidates.any());
    assertThat(reader.evaluate(new Predicate.IsNull(column), true)).hasToString("exactly {0,1}");
  }

  @Test
  void a_literal_between_two_milliseconds_is_equal_to_none() throws IOException {
    Column column = column("TIMESTAMP(3)");
    List<Object> values = Arrays.asList(-2000L, -1000L, 0L, null);
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    BitmapReader<?> reader = reader(column.type(), bytes, 4);
    String[] expected = {"{}", "{0,1,2}", "{0,1}", "{0,1}", "{2}", "{2}"};
    for (Comparison comparison : Comparison.values()) {
      Predicate leaf = new Compare(column, comparison, -1L);
      assertThat(reader.evaluate(leaf, false))
          .as(leaf.toString())
          .hasToString("exactly " + expected[comparison.ordinal()]);
    }
  }

  @Test
  void a_lookup_reads_the_directory_one_block_and_one_bitmap() throws IOException {
    Column column = column("BIGINT");
    Random random = new Random(7);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      values.add((long) random.nextInt(20_000));
    }
    byte[] bytes = KeyedIndexes.write(KIND, column.type(), Map.of(), values);
    List<Integer> reads = new ArrayList<>();
    BitmapReader<?> reader =
        KIND.reader(column.type(), KeyedIndexes.recording(bytes, reads), 300_000);
    Predicate leaf = new Compare(column, Comparison.EQUAL, 777L);
    assertThat(reader.evaluate(leaf, false).positions())
        .isEqualTo(KeyedIndexes.matching(column, values, leaf, false));
    assertThat(reads).hasSize(4); // version, head with directory, block, bitmap
    assertThat(reads.stream().mapToInt(Integer::intValue).sum()).isLessThan(26_000);
    assertThat(bytes.length).isGreaterThan(1_000_000);
    reads.clear();
    reader.evaluate(leaf, true);
    assertThat(reads).hasSize(1);
    reads.clear();
    reader.evaluate(new Predicate.In(column, List.of(770L, 771L, 772L, 773L, 774L)), false);
    assertThat(reads).as("bitmaps near each other").hasSize(1);
    Predicate apart = new Predicate.In(column, List.of(770L, 1_000L, 1_230L));
    reader.evaluate(apart, false);
    reads.clear();
    reader.evaluate(apart, false);
    int together = reads.size();
    BitmapReader<?> local =
        KIND.reader(column.type(), KeyedIndexes.recording(bytes, reads, 0), 300_000);
    local.evaluate(apart, false);
    reads.clear();
    local.evaluate(apart, false);
    assertThat(reads.size()).as("where a gap is not read along").isGreaterThan(together);
  }

  @Test
  void damage_ends_in_an_error_with_a_place_or_in_an_answer() {
    Seeds.each(
        1,
        random -> {
          for (String type : new String[] {"BOOLEAN", "INT", "DOUBLE", "STRING"}) {
            Column column = column(type);
            List<Object> values = KeyedIndexes.values(random, column.type(), 60);
            List<Predicate> leaves = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
              leaves.add(KeyedIndexes.leaf(random, column, values));
            }
            for (String version : new String[] {"1", "2"}) {
              byte[] bytes =
                  KeyedIndexes.write(
                      KIND,
                      column.type(),
                      Map.of("version", version, "index-block-size", "64b"),
                      values);
              KeyedIndexes.checkDamaged(
                  bytes,
                  payload -> {
                    BitmapReader<?> reader = KIND.reader(column.type(), payload, 60);
                    for (Predicate leaf : leaves) {
                      Candidates answer = reader.evaluate(leaf, random.nextBoolean());
                      assertThat(answer.isNone() || answer.positions().max() < 60).isTrue();
                    }
                    reader.countValues(RowSelection.all(60), (value, rows) -> {});
                  });
            }
          }
        });
  }

  @Test
  void errors_say_where_and_what() throws IOException {
    ColumnType type = column("INT").type();
    byte[] good = GoldenIndexes.named("bitmap-v2-single-null").payload();
    assertThatThrownBy(() -> reader(type, good, 81))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "data-1.parquet.index at byte 101: row count of the index should be 81 but is 80.");
    byte[] newer = good.clone();
    newer[0] = 3;
    assertThatThrownBy(() -> reader(type, newer, 80))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageStartingWith(
            "data-1.parquet.index at byte 100: bitmap index has version 3, but this release reads"
                + " 1, 2.");
    byte[] many = good.clone();
    many[18] = 0x7F; // the number of blocks
    assertThatThrownBy(() -> reader(type, many, 80))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("data-1.parquet.index at byte 118: number of blocks should be 0 to")
        .hasMessageContaining("but is 2130706433.");
    byte[] outside = good.clone();
    outside[54] = 0x10; // the offset of the last value
    BitmapReader<?> reader = reader(type, outside, 80);
    Predicate leaf = new Compare(column("INT"), Comparison.EQUAL, 1);
    assertThatThrownBy(() -> reader.evaluate(leaf, false))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("data-1.parquet.index at byte 150: bitmap of ");
  }

  @Test
  void a_wrong_option_is_refused_by_its_key() {
    ColumnType type = column("INT").type();
    assertThatThrownBy(() -> KIND.writer(type, options("version", "3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("option 'file-index.bitmap.c.version' should be 1 or 2 but is '3'");
    assertThatThrownBy(() -> KIND.writer(type, options("index-block-size", "16 parsecs")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option 'file-index.bitmap.c.index-block-size' should be a size below 2 gb such as"
                + " 16kb but is '16 parsecs'");
  }

  private static IndexOptions options(String name, String value) {
    return new IndexOptions("file-index.bitmap.c.", Map.of(name, value));
  }

  @Test
  void the_bytes_of_a_small_index_are_these() {
    List<Object> values = Arrays.asList(7, null, 3, null, 7);
    byte[] v2 = KeyedIndexes.write(KIND, column("INT").type(), Map.of(), values);
    assertThat(HexFormat.of().formatHex(v2))
        .isEqualTo(
            "02 00000005 00000002 01 00000000 00000014 00000001 00000003 00000000 0000001c"
                    .replace(" ", "")
                + "00000002 00000003 fffffffd ffffffff 00000007 00000014 00000014".replace(" ", "")
                + "3a30000001000000000001001000000001000300"
                + "3a30000001000000000001001000000000000400");
    byte[] v1 = KeyedIndexes.write(KIND, column("INT").type(), Map.of("version", "1"), values);
    assertThat(HexFormat.of().formatHex(v1))
        .isEqualTo(
            "01 00000005 00000002 01 00000000 00000003 fffffffd 00000007 00000014".replace(" ", "")
                + "3a30000001000000000001001000000001000300"
                + "3a30000001000000000001001000000000000400");
  }

  @Test
  void types_without_keys_are_not_supported() {
    for (String type : TYPES) {
      assertThat(KIND.supports(ColumnTypes.parse(type))).as(type).isTrue();
    }
    for (String type : new String[] {"DECIMAL(5, 2)", "BYTES", "BINARY(3)", "VARIANT"}) {
      assertThat(KIND.supports(ColumnTypes.parse(type))).as(type).isFalse();
    }
    assertThat(KIND.supports(new ColumnType.Array(ColumnTypes.parse("INT"), true))).isFalse();
  }

  @Test
  void values_that_are_all_null_are_counted_as_null() throws IOException {
    List<Object> nulls = Collections.nCopies(70_000, null);
    byte[] bytes = KeyedIndexes.write(KIND, column("STRING").type(), Map.of(), nulls);
    BitmapReader<?> reader = reader(column("STRING").type(), bytes, 70_000);
    Map<Object, Long> expected = new HashMap<>();
    expected.put(null, 69_999L);
    RowSelection within = RowSelection.all(70_000).without(Positions.range(65_536, 65_537));
    assertThat(counts(reader, within)).isEqualTo(expected);
  }
}
