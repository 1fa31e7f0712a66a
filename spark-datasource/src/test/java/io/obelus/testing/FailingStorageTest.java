package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailingStorageTest {

  @TempDir private Path directory;

  private final Storage real = new HadoopStorage(new Configuration(false));

  private String path(String name) {
    return directory + "/" + name;
  }

  @Test
  void each_step_fails_in_turn_until_none_is_left() throws IOException {
    int steps = 0;
    for (int step = 1; ; step++) {
      FailingStorage storage = FailingStorage.failingAt(step, real);
      try {
        storage.createIfAbsent(path("a" + step), new byte[1]);
        storage.create(path("b" + step)).close();
        assertThat(storage.hasFailed()).isFalse();
        break;
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("broken on purpose: ");
        steps++;
      }
    }
    assertThat(steps).isEqualTo(3); // claim, create, close
  }

  @Test
  void a_dead_storage_stays_dead_and_its_files_can_still_be_looked_at() throws IOException {
    FailingStorage storage = FailingStorage.dyingAt(2, real);
    assertThat(storage.createIfAbsent(path("a"), new byte[1])).isTrue();
    assertThatThrownBy(() -> storage.exists(path("a"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.delete(path("a"))).isInstanceOf(IOException.class);
    assertThat(storage.healed().exists(path("a"))).isTrue();
  }

  @Test
  void an_operation_can_be_done_although_it_fails() throws IOException {
    FailingStorage storage = FailingStorage.failingAt(1, real).afterDoing();
    assertThatThrownBy(() -> storage.createIfAbsent(path("a"), new byte[1]))
        .hasMessageContaining("after it was done: createIfAbsent ");
    assertThat(real.exists(path("a"))).isTrue();
  }

  @Test
  void somebody_else_can_be_faster_once() throws IOException {
    String snapshot = path("t/snapshot/snapshot-1");
    FailingStorage storage =
        FailingStorage.counting(real)
            .beforeSnapshot(() -> real.createIfAbsent(snapshot, new byte[] {7}));
    assertThat(storage.createIfAbsent(snapshot, new byte[] {8})).isFalse();
    assertThat(storage.createIfAbsent(path("t/snapshot/snapshot-2"), new byte[] {8})).isTrue();
    assertThat(real.read(snapshot)).containsExactly(7);
    assertThat(storage.operations())
        .containsExactly(
            "createIfAbsent " + snapshot, "createIfAbsent " + path("t/snapshot/snapshot-2"));
  }
}
