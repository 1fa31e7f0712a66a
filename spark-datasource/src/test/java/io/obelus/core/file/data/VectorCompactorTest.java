package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class VectorCompactorTest {

  private static final int ROWS = 500;

  @Test
  void kept_rows_and_their_nulls_move_up_on_the_heap_and_off_it() {
    Seeds.each(
        50,
        random -> {
          try (WritableColumnVector on = new OnHeapColumnVector(ROWS, DataTypes.IntegerType);
              WritableColumnVector off = new OffHeapColumnVector(ROWS, DataTypes.IntegerType)) {
            int[] kept = someOf(random);
            List<Integer> values = values(random);
            for (WritableColumnVector vector : List.of(on, off)) {
              fill(vector, values);
              VectorCompactor.keep(vector, kept, kept.length);
              for (int j = 0; j < kept.length; j++) {
                Integer found = vector.isNullAt(j) ? null : Integer.valueOf(vector.getInt(j));
                assertThat(found).as("row %s of %s", j, vector).isEqualTo(values.get(kept[j]));
              }
            }
          }
        });
  }

  private static int[] someOf(Random random) {
    int share = 1 + random.nextInt(99);
    return IntStream.range(0, ROWS).filter(row -> random.nextInt(100) < share).toArray();
  }

  /** Without nulls, with some, or nothing else. */
  private static List<Integer> values(Random random) {
    int nulls = List.of(0, 50, 100).get(random.nextInt(3));
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      values.add(random.nextInt(100) < nulls ? null : random.nextInt());
    }
    return values;
  }

  private static void fill(WritableColumnVector vector, List<Integer> values) {
    for (int i = 0; i < ROWS; i++) {
      if (values.get(i) == null) {
        vector.putNull(i);
      } else {
        vector.putInt(i, values.get(i));
      }
    }
  }
}
