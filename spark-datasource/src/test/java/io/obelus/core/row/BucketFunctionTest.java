package io.obelus.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.BucketFunction.Type;
import io.obelus.testing.PaimonRows;
import io.obelus.testing.RandomRows;
import io.obelus.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.sink.FixedBucketRowKeyExtractor;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class BucketFunctionTest {

  private static final List<ColumnType> INT = List.of(ColumnTypes.parse("INT"));
  private static final List<ColumnType> BIGINT = List.of(ColumnTypes.parse("BIGINT"));

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  @Test
  void the_absolute_value_is_taken_of_the_remainder() {
    BucketFunction four = BucketFunction.ofKey(Type.DEFAULT, INT, 4);
    assertThat(four.bucket(row(3))).isEqualTo(1); // hash -771300025, remainder -1
    assertThat(BucketFunction.ofHash(Integer.MIN_VALUE, 3)).isEqualTo(2);
    assertThat(BucketFunction.ofHash(Integer.MIN_VALUE, 1)).isZero();
    BucketFunction sample =
        BucketFunction.ofKey(Type.DEFAULT, List.of(INT.get(0), ColumnType.string()), 2);
    assertThat(sample.bucket(row(1, UTF8String.fromString("a")))).isZero();
    assertThat(sample.bucket(row(3, UTF8String.fromString("c")))).isEqualTo(1);
  }

  @Test
  void int_and_bigint_fall_into_one_bucket_from_zero_up_only() {
    BucketFunction ints = BucketFunction.ofKey(Type.DEFAULT, INT, 1000);
    BucketFunction longs = BucketFunction.ofKey(Type.DEFAULT, BIGINT, 1000);
    assertThat(ints.bucket(row(77))).isEqualTo(longs.bucket(row(77L)));
    assertThat(ints.bucket(row(-77))).isNotEqualTo(longs.bucket(row(-77L)));
  }

  @Test
  void mod_is_the_floor_remainder_of_the_number_itself() {
    assertThat(BucketFunction.ofKey(Type.MOD, INT, 5).bucket(row(-3))).isEqualTo(2);
    assertThat(BucketFunction.ofKey(Type.MOD, BIGINT, 5).bucket(row(-3L))).isEqualTo(2);
    assertThat(BucketFunction.ofKey(Type.MOD, BIGINT, 5).bucket(row(12L))).isEqualTo(2);
  }

  @Test
  void mod_refuses_other_keys_and_no_function_takes_no_buckets() {
    assertThatThrownBy(() -> BucketFunction.ofKey(Type.MOD, List.of(ColumnType.string()), 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option 'bucket-function.type' = 'mod' needs a bucket key of one INT or BIGINT column,"
                + " not column 'key0' of type STRING");
    assertThatThrownBy(() -> BucketFunction.ofKey(Type.MOD, List.of(INT.get(0), BIGINT.get(0)), 5))
        .hasMessageEndingWith("not 2 columns");
    assertThatThrownBy(() -> BucketFunction.ofKey(Type.DEFAULT, INT, 0))
        .hasMessage("number of buckets should be above 0 but is 0; see option 'bucket'");
  }

  @Test
  void the_other_engine_puts_each_row_into_the_same_bucket() {
    Seeds.each(
        random -> {
          RowType type = RandomRows.flatType(random, 1 + random.nextInt(6));
          List<String> key = new ArrayList<>(type.names());
          Collections.shuffle(key, random);
          key = key.subList(0, 1 + random.nextInt(key.size()));
          int buckets = 1 + random.nextInt(50);
          FixedBucketRowKeyExtractor theirs =
              new FixedBucketRowKeyExtractor(
                  new TableSchema(
                      0,
                      PaimonRows.type(type).getFields(),
                      type.size(),
                      List.of(),
                      List.of(),
                      Map.of("bucket", "" + buckets, "bucket-key", String.join(",", key)),
                      null));
          int[] indexes = type.indexesOf(key);
          BucketFunction ours = new BucketFunction(Type.DEFAULT, type, indexes, buckets);
          BucketFunction travelled = travel(ours);
          BucketFunction ofKey =
              BucketFunction.ofKey(
                  Type.DEFAULT,
                  IntStream.of(indexes).mapToObj(i -> type.column(i).type()).toList(),
                  buckets);
          ProjectedRow keyRow = new ProjectedRow(type, indexes);
          for (int i = 0; i < 100; i++) {
            InternalRow row = RandomRows.row(random, type);
            theirs.setRecord(PaimonRows.row(row, type));
            assertThat(ours.bucket(row)).isEqualTo(theirs.bucket());
            assertThat(travelled.bucket(row)).isEqualTo(theirs.bucket());
            assertThat(ofKey.bucket(keyRow.over(row))).isEqualTo(theirs.bucket());
          }
        });
  }

  private static BucketFunction travel(BucketFunction function) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(function);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (BucketFunction) in.readObject();
    }
  }
}
