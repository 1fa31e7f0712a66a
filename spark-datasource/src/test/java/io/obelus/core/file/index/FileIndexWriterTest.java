package io.obelus.core.file.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.io.Storage;
import io.obelus.core.row.ColumnType;
import io.obelus.testing.MemoryStorage;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.junit.jupiter.api.Test;

class FileIndexWriterTest {

  private static final FileIndexSettings NEVER_EMBEDDED =
      new FileIndexSettings(
          List.of(
              new IndexedColumn(
                  "k",
                  0,
                  null,
                  "bitmap",
                  new ColumnType.Scalar(ColumnType.Kind.INT, 0, 0, true),
                  IndexOptions.NONE)),
          0,
          1 << 20);

  @Test
  void each_rebuild_raises_the_number() {
    assertThat(FileIndexWriter.next("data-1f-0.parquet.index"))
        .isEqualTo("data-1f-0.parquet-1.index");
    assertThat(FileIndexWriter.next("data-1f-0.parquet-1.index"))
        .isEqualTo("data-1f-0.parquet-2.index");
    assertThat(FileIndexWriter.next("data-1f-0.parquet-99.index"))
        .isEqualTo("data-1f-0.parquet-100.index");
    assertThat(FileIndexWriter.next("/t-1/bucket-0/data.index"))
        .isEqualTo("/t-1/bucket-0/data-1.index");
    assertThat(FileIndexWriter.next("data-7.index")).isEqualTo("data-8.index");
    assertThat(FileIndexWriter.next("a-12345678901.index")).isEqualTo("a-12345678901-1.index");
  }

  @Test
  void a_name_that_is_taken_is_passed_over_and_its_file_stays() throws IOException {
    Storage storage = new MemoryStorage();
    storage.createIfAbsent("/t/a.parquet.index", new byte[] {1});
    storage.createIfAbsent("/t/a.parquet-1.index", new byte[] {2});
    FileIndexWriter writer =
        FileIndexWriter.replacing(storage, NEVER_EMBEDDED, "/t/a.parquet", null);
    writer.add(new GenericInternalRow(new Object[] {5}));
    assertThat(writer.finish().file()).isEqualTo("a.parquet-2.index");
    assertThat(storage.exists("/t/a.parquet-2.index")).isTrue();
    writer.close();
    assertThat(storage.exists("/t/a.parquet-2.index")).isFalse();
    assertThat(storage.read("/t/a.parquet.index")).containsExactly(1);
    assertThat(storage.read("/t/a.parquet-1.index")).containsExactly(2);
  }
}
