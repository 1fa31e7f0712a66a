package io.obelus.core.table.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.Schemas;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.DamagesTables;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own that commit to one table on the local disk. */
@DamagesTables(
    value = "its data files are names without rows",
    finds = {"data_file", "file_index"})
class CommitProcessesTest {

  private static final int PROCESSES = 3;
  private static final int COMMITS = 20;

  @TempDir private Path directory;

  private static Table open(String path) throws IOException {
    return Table.open(new HadoopStorage(new Configuration(false)), path, "t");
  }

  /** One of the processes: appends files named after it, one commit each. */
  static final class Writer {
    private Writer() {}

    /**
     * @param args path of the table, name of the writer
     */
    public static void main(String[] args) throws IOException {
      Table table = open(args[0]);
      for (int i = 0; i < COMMITS; i++) {
        BucketChange change =
            new BucketChange(
                TestTable.bucket(0),
                -1,
                List.of(),
                List.of(TestTable.file("data-" + args[1] + "-" + i)),
                List.of(),
                null,
                List.of(),
                true,
                new BucketChange.Report(0, 0, 0, 0));
        new Commit(table, null).commit(List.of(change));
      }
    }
  }

  @Test
  void processes_lose_nothing_to_each_other() throws Exception {
    String path = directory.resolve("t").toString();
    new Schemas(new HadoopStorage(new Configuration(false)), new TableDirectory(path))
        .create(
            new TableSchema(
                3,
                0,
                TestTable.ROW,
                2,
                List.of(),
                List.of(),
                Map.of("commit.max-retries", "1000", "commit.max-retry-wait", "50 ms"),
                null,
                0));
    List<Process> writers = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      writers.add(start(path, "w" + i));
    }
    for (Process writer : writers) {
      String said = new String(writer.getInputStream().readAllBytes());
      assertThat(writer.waitFor()).as(said).isZero();
    }
    Table table = open(path);
    int all = PROCESSES * COMMITS;
    assertThat(table.snapshots().ids()).isEqualTo(LongStream.rangeClosed(1, all).boxed().toList());
    assertThat(new LiveFiles(table, table.snapshots().latest().orElseThrow()).entries(id -> true))
        .hasSize(all);
  }

  private static Process start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath(),
                Writer.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Of this test, whoever runs it: a runner may keep it from the process's own class path. */
  private static String classPath() {
    return CommitProcessesTest.class.getClassLoader() instanceof URLClassLoader loader
        ? Arrays.stream(loader.getURLs())
            .map(URL::getPath)
            .collect(Collectors.joining(File.pathSeparator))
        : System.getProperty("java.class.path");
  }
}
