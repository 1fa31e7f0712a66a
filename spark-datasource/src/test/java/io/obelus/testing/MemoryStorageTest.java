package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.obelus.core.io.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryStorageTest {

  private final MemoryStorage storage = new MemoryStorage();

  @Test
  void a_directory_lists_what_stands_directly_in_it() throws Exception {
    storage.overwrite("/t/a", new byte[3]);
    storage.overwrite("/t/b/c", new byte[1]);
    storage.overwrite("/t0", new byte[1]);
    assertThat(storage.list("/t"))
        .extracting(Storage.Entry::name, Storage.Entry::isDirectory, Storage.Entry::size)
        .containsExactly(tuple("a", false, 3L), tuple("b", true, 0L));
    assertThat(storage.list("file:/t/")).hasSize(2);
    assertThat(storage.list("/missing")).isEmpty();
  }

  @Test
  void a_new_file_is_complete_once_closed_and_its_name_taken_at_once() throws Exception {
    try (OutputStream out = storage.create("/t/a")) {
      out.write(7);
      assertThat(storage.size("/t/a")).isZero();
      assertThatThrownBy(() -> storage.create("/t/a"))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(storage.read("/t/a")).containsExactly(7);
  }

  @Test
  void of_many_only_one_creates_a_file() {
    AtomicInteger created = new AtomicInteger();
    IntStream.range(0, 100)
        .parallel()
        .forEach(
            i -> {
              try {
                created.addAndGet(storage.createIfAbsent("/t/s", new byte[] {1}) ? 1 : 0);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(created).hasValue(1);
  }

  @Test
  void a_directory_is_moved_and_deleted_with_all_in_it() throws Exception {
    storage.overwrite("/t/a/b", new byte[] {5});
    storage.rename("/t", "/u/v");
    assertThat(storage.exists("/t")).isFalse();
    assertThat(storage.read("/u/v/a/b")).containsExactly(5);
    assertThat(storage.deleteDirectory("/u")).isTrue();
    assertThat(storage.exists("/u/v/a/b")).isFalse();
    assertThat(storage.delete("/u/v/a/b")).isFalse();
    assertThatThrownBy(() -> storage.open("/u/v/a/b")).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void a_serialized_copy_is_the_same_storage() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(storage);
    Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertThat(copy).isSameAs(storage);
  }
}
