package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable.Row;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Footers and heads of index files are read once in a JVM. */
class RememberedPartsTest {

  private static final int ROWS = 5000;
  private static final int FIRST_READ = 8192;

  @TempDir Path directory;

  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            Files.createTempDirectory(directory, "t").resolve("t"),
            List.of("k INT NOT NULL", "n BIGINT"),
            List.of(),
            List.of("k"),
            Map.of(
                "bucket", "1",
                "file-index.bsi.columns", "n",
                "file-index.in-manifest-threshold", "0 b"));
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      rows.add(Row.insert(k, k * 7919L % ROWS));
    }
    table.write(rows);
    return table;
  }

  /** What a read of some rows asked its storage for. */
  private record Asked(
      long dataBytes, long dataRequests, long indexBytes, long indexRequests, int rows) {}

  private static Asked read(CoreTable table, Predicate condition) throws IOException {
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    RowType columns = table.table().schema().rowType();
    int rows = table.on(storage).rows(columns, condition, 1).size();
    return new Asked(
        storage.bytesRead(path -> path.endsWith(".parquet")),
        storage.requests(path -> path.endsWith(".parquet")),
        storage.bytesRead(path -> path.endsWith(".index")),
        storage.requests(path -> path.endsWith(".index")),
        rows);
  }

  private static Predicate below(CoreTable table, long limit) {
    return new Predicate.Compare(
        table.table().schema().rowType().column(1), Comparison.LESS, limit);
  }

  private static Path file(CoreTable table, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(table.table().directory().root()))) {
      return files.filter(path -> path.toString().endsWith(suffix)).findAny().orElseThrow();
    }
  }

  private static int footerLength(byte[] file) {
    return 8 + ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
  }

  @Test
  void the_second_reader_asks_for_no_footer() throws IOException {
    CoreTable table = table();
    byte[] file = Files.readAllBytes(file(table, ".parquet"));
    Asked first = read(table, Predicate.ALWAYS);
    Asked second = read(table, Predicate.ALWAYS);
    assertThat(footerLength(file)).isLessThan(FIRST_READ);
    assertThat(first.dataBytes() - second.dataBytes()).isEqualTo(FIRST_READ);
    assertThat(first.dataRequests() - second.dataRequests()).isEqualTo(1);
    assertThat(second.dataBytes()).isLessThanOrEqualTo(file.length - footerLength(file));
    assertThat(List.of(first.rows(), second.rows())).containsOnly(ROWS);
  }

  @Test
  void the_second_reader_asks_for_no_head_of_an_index_file() throws IOException {
    CoreTable table = table();
    Asked first = read(table, below(table, 20));
    Asked second = read(table, below(table, 20));
    assertThat(first.indexRequests() - second.indexRequests()).isEqualTo(1);
    assertThat(second.indexBytes()).isPositive().isLessThan(first.indexBytes());
    assertThat(List.of(first.rows(), second.rows())).containsOnly(20);
  }

  @Test
  void with_a_size_of_nothing_all_is_read_again() throws IOException {
    CoreTable table = table().with("read.cache-size", "0");
    assertThat(read(table, below(table, 20))).isEqualTo(read(table, below(table, 20)));
  }

  @Test
  void damage_is_reported_to_every_reader_and_not_remembered() throws IOException {
    CoreTable table = table();
    for (String kind : List.of(".parquet", ".index")) {
      Path file = file(table, kind);
      byte[] sound = Files.readAllBytes(file);
      byte[] damaged = sound.clone();
      int at = kind.equals(".index") ? 20 : sound.length - 8 - 100; // in the head, in the footer
      for (int i = 0; i < 60; i++) {
        damaged[at + i] ^= 0x55;
      }
      Files.write(file, damaged);
      for (int reader = 0; reader < 2; reader++) {
        assertThatThrownBy(() -> read(table, below(table, 20)))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining(file.getFileName().toString());
      }
      Files.write(file, sound);
      assertThat(read(table, below(table, 20)).rows()).isEqualTo(20);
    }
  }

  @Test
  @DamagesTables("a data file is deleted")
  void a_file_that_is_gone_is_missed_though_its_footer_is_remembered() throws IOException {
    CoreTable table = table();
    assertThat(read(table, Predicate.ALWAYS).rows()).isEqualTo(ROWS);
    Path file = file(table, ".parquet");
    Files.delete(file);
    assertThatThrownBy(() -> read(table, Predicate.ALWAYS))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(file.getFileName().toString());
  }

  @Test
  void tasks_that_read_at_the_same_time_return_the_same_rows() throws Exception {
    CoreTable table = table();
    ExecutorService tasks = Executors.newFixedThreadPool(4);
    try {
      List<Future<Asked>> reads = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        long limit = 10 * (i % 4);
        reads.add(tasks.submit(() -> read(table, below(table, limit))));
      }
      for (int i = 0; i < 16; i++) {
        assertThat(reads.get(i).get().rows()).isEqualTo(10 * (i % 4));
      }
    } finally {
      tasks.shutdownNow();
    }
  }
}
