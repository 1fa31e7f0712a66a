package io.obelus.core.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopStorageTest {

  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir private Path directory;

  private final HadoopStorage storage = new HadoopStorage(new Configuration());

  private List<String> names(Path parent) throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void three_spellings_name_one_local_file() throws IOException {
    storage.overwrite(directory + "/f", CONTENT);
    for (String spelling : List.of("file:", "file://", "", "file://localhost")) {
      assertThat(storage.read(spelling + directory + "/f")).isEqualTo(CONTENT);
    }
    assertThatThrownBy(() -> storage.read("file://somewhere" + directory + "/f"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names host 'somewhere'");
    assertThatThrownBy(() -> storage.read("file:f"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("path file:f is not absolute");
  }

  @Test
  void names_are_taken_as_they_are() throws IOException {
    storage.overwrite("file:" + directory + "/a b/s=2024%2F01%3A02 é/f", CONTENT);
    assertThat(names(directory.resolve("a b"))).containsExactly("s=2024%2F01%3A02 é");
  }

  @Test
  void a_file_is_created_once_and_leaves_no_other_file_behind() throws IOException {
    String file = directory + "/bucket-0/data-1";
    try (OutputStream out = storage.create(file)) {
      out.write(CONTENT);
    }
    assertThat(names(directory.resolve("bucket-0"))).containsExactly("data-1");
    assertThatThrownBy(() -> storage.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(storage.createIfAbsent(directory + "/snapshot/snapshot-1", CONTENT)).isTrue();
    assertThat(storage.createIfAbsent(directory + "/snapshot/snapshot-1", new byte[9])).isFalse();
    storage.overwrite(directory + "/snapshot/LATEST", new byte[] {'1'});
    storage.overwrite(directory + "/snapshot/LATEST", new byte[] {'2'});
    assertThat(names(directory.resolve("snapshot"))).containsExactly("LATEST", "snapshot-1");
    assertThat(storage.read(directory + "/snapshot/snapshot-1")).isEqualTo(CONTENT);
    assertThat(storage.read(directory + "/snapshot/LATEST")).containsExactly('2');
  }

  @Test
  void a_checksum_file_of_somebody_else_disturbs_nobody() throws IOException {
    storage.overwrite(directory + "/f", CONTENT);
    Files.write(directory.resolve(".f.crc"), new byte[] {'c', 'r', 'c', 0, 0, 0, 2, 0, 9, 9, 9, 9});
    assertThat(storage.read(directory + "/f")).isEqualTo(CONTENT);
  }

  @Test
  void of_many_who_claim_a_name_one_gets_it() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    for (int round = 0; round < 20; round++) {
      String name = directory + "/snapshot-" + round;
      List<Callable<Boolean>> claims =
          IntStream.range(0, 8)
              .<Callable<Boolean>>mapToObj(
                  i -> () -> storage.createIfAbsent(name, new byte[] {(byte) i}))
              .toList();
      int winners = 0;
      int winner = -1;
      List<Future<Boolean>> results = threads.invokeAll(claims);
      for (int i = 0; i < 8; i++) {
        if (results.get(i).get()) {
          winners++;
          winner = i;
        }
      }
      assertThat(winners).isEqualTo(1);
      assertThat(storage.read(name)).containsExactly(winner);
    }
    threads.shutdown();
    assertThat(names(directory)).hasSize(20).allMatch(name -> name.startsWith("snapshot-"));
  }

  @Test
  void a_range_is_read_and_the_end_of_the_file_is_an_error() throws IOException {
    String file = directory + "/f";
    storage.overwrite(file, new byte[] {0, 1, 2, 3, 4});
    assertThat(storage.size(file)).isEqualTo(5);
    assertThat(storage.read(file, 1, 3)).containsExactly(1, 2, 3);
    assertThat(storage.read(file, 5, 0)).isEmpty();
    assertThatThrownBy(() -> storage.read(file, 3, 4))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("of a file of 5 bytes");
    try (SeekableInput in = storage.open(file)) {
      in.seek(5);
      assertThat(in.read(new byte[1], 0, 1)).isEqualTo(-1);
      assertThatThrownBy(() -> in.seek(6))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("cannot go to byte 6 of a file of 5 bytes");
    }
  }

  @Test
  void what_is_missing_is_said_so_or_is_nothing() throws IOException {
    String nowhere = directory + "/nowhere";
    assertThatThrownBy(() -> storage.open(nowhere))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage(nowhere + " does not exist");
    assertThatThrownBy(() -> storage.read(nowhere)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> storage.size(nowhere)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> storage.rename(nowhere, nowhere + "2"))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(storage.exists(nowhere)).isFalse();
    assertThat(storage.list(nowhere)).isEmpty();
    assertThat(storage.delete(nowhere)).isFalse();
    assertThat(storage.deleteDirectory(nowhere)).isFalse();
  }

  @Test
  void directories_are_listed_moved_and_deleted_with_all_that_is_in_them() throws IOException {
    storage.makeDirectory(directory + "/a/b");
    storage.makeDirectory(directory + "/a/b");
    storage.overwrite(directory + "/a/b/f", CONTENT);
    storage.overwrite(directory + "/a/g", CONTENT);
    assertThat(storage.list(directory + "/a"))
        .extracting(Storage.Entry::name, Storage.Entry::isDirectory)
        .containsExactlyInAnyOrder(tuple("b", true), tuple("g", false));
    storage.makeDirectory(directory + "/taken");
    assertThatThrownBy(() -> storage.rename(directory + "/a", directory + "/taken"))
        .isInstanceOf(FileAlreadyExistsException.class);
    storage.rename(directory + "/a", directory + "/c");
    assertThat(storage.read(directory + "/c/b/f")).isEqualTo(CONTENT);
    assertThat(storage.deleteDirectory(directory + "/c")).isTrue();
    assertThat(names(directory)).containsExactly("taken");
  }

  @Test
  void other_schemes_go_through_hadoop_and_refuse_what_they_cannot_promise() throws IOException {
    Configuration mounted = new Configuration();
    mounted.set(
        "fs.viewfs.mounttable.default.link./t", directory.toUri().toString()); // a view of a disk
    mounted.set("fs.odd.impl", OddFileSystem.class.getName());
    HadoopStorage remote = new HadoopStorage(mounted);
    assertThat(remote.createIfAbsent("viewfs:///t/s/snapshot-1", CONTENT)).isTrue();
    assertThat(remote.createIfAbsent("viewfs:///t/s/snapshot-1", new byte[9])).isFalse();
    assertThat(remote.read("viewfs:///t/s/snapshot-1")).isEqualTo(CONTENT);
    assertThat(remote.size("viewfs:///t/s/snapshot-1")).isEqualTo(3);
    assertThat(remote.list("viewfs:///t/s"))
        .extracting(Storage.Entry::name)
        .containsExactly("snapshot-1");
    assertThat(remote.list("viewfs:///t/nowhere")).isEmpty();
    assertThatThrownBy(() -> remote.open("viewfs:///t/nowhere"))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> remote.read("viewfs:///t/s/snapshot-1", 2, 2))
        .isInstanceOf(EOFException.class)
        .hasMessage("wanted 2 bytes at byte 2 of a file of 3 bytes");
    remote.rename("viewfs:///t/s", "viewfs:///t/moved");
    assertThat(remote.deleteDirectory("viewfs:///t/moved")).isTrue();
    assertThatThrownBy(() -> remote.createIfAbsent("odd://lake/t/snapshot-1", CONTENT))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("odd://lake/t/snapshot-1: Hadoop offers no way")
        .hasMessageContaining("'odd'")
        .hasMessageContaining("Write tables on file: or hdfs:");
  }

  /** An object store, as far as its name goes. */
  public static final class OddFileSystem extends RawLocalFileSystem {
    @Override
    public String getScheme() {
      return "odd";
    }

    @Override
    public URI getUri() {
      return URI.create("odd://lake");
    }
  }

  @Test
  void the_configuration_travels_by_both_serializations() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set("fs.s3a.endpoint", "http://here");
    configuration.set("a", "${b}/c");
    configuration.set("b", "x");
    HadoopStorage sent = new HadoopStorage(configuration);
    sent.configuration();
    for (HadoopStorage arrived : List.of(byJava(sent), byKryo(sent))) {
      assertThat(arrived.configuration().get("fs.s3a.endpoint")).isEqualTo("http://here");
      assertThat(arrived.configuration().get("a")).isEqualTo("x/c");
      assertThat(arrived.configuration().get("fs.defaultFS")).isEqualTo("file:///");
    }
  }

  private static HadoopStorage byJava(HadoopStorage storage) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(storage);
    }
    assertThat(bytes.size()).isLessThan(40_000);
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (HadoopStorage) in.readObject();
    }
  }

  private static HadoopStorage byKryo(HadoopStorage storage) {
    Kryo kryo = new KryoSerializer(new SparkConf()).newKryo();
    Output out = new Output(1024, -1);
    kryo.writeClassAndObject(out, storage);
    return (HadoopStorage) kryo.readClassAndObject(new Input(out.toBytes()));
  }
}
