package io.obelus.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.TestBucket.Change;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.row.RowKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Level-0 files of a writer who began before rows were committed that now are there. Nobody checks
 * such a commit: sequence numbers decide which row of a key is the newer one.
 */
class LateLevelZeroTest {

  private static final CompactionSettings SETTINGS =
      new CompactionSettings(5, 6, 1, 200, 1 << 20, false);

  @TempDir Path directory;

  private TestBucket bucket;

  @BeforeEach
  void a_late_writer_has_older_rows_of_keys_1_and_2() throws IOException {
    bucket = new TestBucket(directory, DeletionCoding.BITMAP32, false, SETTINGS);
    bucket.write(List.of(row(1, "first"), row(2, "first"), row(3, "first")));
    long late = bucket.nextSequence();
    bucket.write(List.of(row(0, "second"), row(1, "second"), row(2, "second")));
    bucket.writeLevelZero(List.of(row(1, "late"), delete(2), row(4, "late")), late);
    assertThat(bucket.rows()).isEqualTo(EXPECTED);
  }

  private static final Map<Integer, String> EXPECTED =
      Map.of(0, "second", 1, "second", 2, "second", 3, "first", 4, "late");

  @Test
  void a_write_takes_them_in_as_a_read_sees_them() throws IOException {
    bucket.write(List.of(row(9, "third")));
    assertThat(bucket.rows()).containsAllEntriesOf(EXPECTED).hasSize(6).containsEntry(9, "third");
  }

  @Test
  void a_compaction_takes_them_in_as_a_read_sees_them() throws IOException {
    bucket.compact(false);
    assertThat(bucket.rows()).isEqualTo(EXPECTED);
    bucket.compact(true);
    assertThat(bucket.rows()).isEqualTo(EXPECTED);
  }

  private static Change row(int key, String value) {
    return new Change(key, null, value, RowKind.INSERT);
  }

  private static Change delete(int key) {
    return new Change(key, null, null, RowKind.DELETE);
  }
}
