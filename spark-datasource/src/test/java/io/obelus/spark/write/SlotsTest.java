package io.obelus.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowBytes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Murmur3HashFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class SlotsTest {

  private static final Scalar LONG = new Scalar(Kind.BIGINT);
  private static final Scalar DAY = new Scalar(Kind.DATE);
  private static final Scalar NAME = new Scalar(Kind.VARCHAR, 20, 0, true);

  @Test
  void the_name_says_all_of_it() {
    Slots slots = new Slots(BucketFunction.Type.DEFAULT, 8, 4, List.of(DAY), List.of(LONG, NAME));
    assertThat(slots.name()).isEqualTo("obelus_slot[DEFAULT,8,4;DATE.0.0;BIGINT.0.0,VARCHAR.20.0]");
    assertThat(Slots.named(slots.name())).isEqualTo(slots);
    Slots unpartitioned = new Slots(BucketFunction.Type.MOD, 2, 2, List.of(), List.of(LONG));
    assertThat(Slots.named(unpartitioned.name())).isEqualTo(unpartitioned);
    assertThat(Slots.named("bucket")).isNull();
    assertThat(ObelusFunctions.find("bucket")).isEmpty();
    assertThat(ObelusFunctions.find(slots.name())).isPresent();
  }

  @Test
  void each_slot_has_a_mark_that_spark_hashes_to_its_task() {
    for (int n : new int[] {1, 2, 3, 4, 7, 16, 200, 1000}) {
      int[] marks = new Slots(BucketFunction.Type.DEFAULT, n, n, List.of(), List.of(LONG)).marks();
      for (int slot = 0; slot < n; slot++) {
        long hash = Murmur3HashFunction.hash(marks[slot], DataTypes.IntegerType, 42);
        assertThat(Math.floorMod((int) hash, n)).isEqualTo(slot);
      }
    }
  }

  @Test
  void the_buckets_of_a_partition_go_to_as_many_tasks_as_there_are() {
    Slots slots = new Slots(BucketFunction.Type.DEFAULT, 4, 8, List.of(DAY), List.of(LONG));
    for (byte day = 0; day < 10; day++) {
      Set<Integer> tasks = new HashSet<>();
      for (int bucket = 0; bucket < 4; bucket++) {
        tasks.add(slots.slot(new BucketId(new RowBytes(new byte[] {0, 0, 0, 1, day}), bucket)));
      }
      assertThat(tasks).hasSize(4);
    }
  }

  @Test
  void the_function_gives_the_mark_of_the_slot_that_the_writer_works_out() {
    Slots slots = new Slots(BucketFunction.Type.DEFAULT, 5, 3, List.of(), List.of(LONG));
    ScalarFunction<?> quick = bind(slots, new StructType().add("k", DataTypes.LongType));
    assertThat(quick).isInstanceOf(SlotFunction.OfLong.class);
    BucketFunction buckets = slots.bucketFunction();
    for (long key = -50; key < 50; key++) {
      int bucket = buckets.bucket(new GenericInternalRow(new Object[] {key}));
      assertThat(((SlotFunction.OfLong) quick).invoke(key))
          .isEqualTo(slots.marks()[slots.slot(new BucketId(RowBytes.EMPTY, bucket))]);
    }
  }

  private static ScalarFunction<?> bind(Slots slots, StructType types) {
    return (ScalarFunction<?>) new SlotFunction(slots).bind(types);
  }
}
