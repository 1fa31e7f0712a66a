package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.TestBucket.Change;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.row.RowKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row made from the stored one wins over it whatever their sequence fields say. */
class OverrulingTest {

  private static final CompactionSettings SETTINGS =
      new CompactionSettings(5, 6, 1, 200, 1 << 20, false);
  private static final Change DELETE = new Change(1, null, null, RowKind.DELETE);

  @TempDir Path directory;

  @Test
  void a_delete_without_sequence_strikes_out_a_row_that_has_one() throws IOException {
    TestBucket bucket = new TestBucket(directory, DeletionCoding.BITMAP32, true, SETTINGS);
    bucket.write(List.of(insert(1, 9), insert(2, 9)));
    bucket.overrule(DELETE);
    assertThat(bucket.rows()).containsOnlyKeys(2);
  }

  @Test
  void a_row_left_on_level_zero_gives_way_too() throws IOException {
    TestBucket bucket = new TestBucket(directory, DeletionCoding.BITMAP32, true, SETTINGS);
    bucket.write(List.of(insert(1, 5), insert(2, 9)));
    bucket.writeLevelZero(List.of(insert(1, 9)));
    bucket.overrule(DELETE);
    assertThat(bucket.rows()).containsOnlyKeys(2);
  }

  @Test
  void it_is_refused_where_rows_are_merged_on_read() throws IOException {
    TestBucket bucket = new TestBucket(directory, null, true, SETTINGS);
    bucket.write(List.of(insert(1, 9)));
    assertThatThrownBy(() -> bucket.overrule(DELETE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set 'deletion-vectors.enabled' = 'true'");
  }

  @Test
  void it_is_refused_until_runs_from_before_the_bitmaps_are_merged() throws IOException {
    CompactionSettings eager = new CompactionSettings(2, 6, 1, 200, 1 << 20, false);
    TestBucket bucket = new TestBucket(directory, null, true, eager);
    List<Change> many = new ArrayList<>();
    for (int key = 0; key < 2000; key++) {
      many.add(insert(key, 9));
    }
    bucket.write(many);
    bucket.write(List.of(insert(1, 8)));
    bucket.write(List.of(insert(1, 8)));
    assertThat(bucket.state().files()).extracting(DataFile::level).containsExactlyInAnyOrder(4, 5);
    bucket.switchBitmapsOn(DeletionCoding.BITMAP32);
    assertThatThrownBy(() -> bucket.overrule(DELETE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("run CALL sys.compact on the table");
    bucket.compact(true);
    bucket.overrule(DELETE);
    assertThat(bucket.rows()).hasSize(1999).doesNotContainKey(1);
  }

  private static Change insert(int key, long sequence) {
    return new Change(key, sequence, "v" + sequence, RowKind.INSERT);
  }
}
