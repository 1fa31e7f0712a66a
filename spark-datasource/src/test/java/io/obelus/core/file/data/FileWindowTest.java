package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.SeekableInput;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWindowTest {

  /** Some windows long. */
  private static final int LENGTH = 3 * SeekableInput.MOST_AT_ONCE + 12_345;

  @TempDir Path directory;

  private StorageFiles.Input open(byte[] bytes) throws IOException {
    Path path = directory.resolve("data.bin");
    Files.write(path, bytes);
    return new StorageFiles.Input(DataFileTest.STORAGE.open(path.toString()));
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void several_windows_walk_through_one_file_by_turns() throws IOException {
    byte[] bytes = random(new Random(1), LENGTH);
    try (StorageFiles.Input in = open(bytes)) {
      Seeds.each(
          20,
          random -> {
            FileWindow[] windows = {new FileWindow("f", in), new FileWindow("f", in)};
            int[] next = new int[2];
            for (FileWindow window : windows) {
              window.move(0, LENGTH);
            }
            for (int step = 0; step < 200; step++) {
              int which = random.nextInt(2);
              FileWindow window = windows[which];
              switch (random.nextInt(4)) {
                case 0 -> {
                  next[which] = random.nextInt(LENGTH);
                  window.move(next[which], LENGTH);
                }
                case 1 -> {
                  int read = window.read();
                  assertThat(read)
                      .isEqualTo(next[which] == LENGTH ? -1 : bytes[next[which]++] & 0xff);
                }
                case 2 -> {
                  byte[] target = new byte[random.nextInt(500)];
                  int read = window.read(target, 0, target.length);
                  int left = LENGTH - next[which];
                  int expected = target.length > 0 && left == 0 ? -1 : target.length;
                  assertThat(read).isEqualTo(Math.min(expected, Math.max(left, expected)));
                  next[which] += check(bytes, next[which], target, 0, Math.max(0, read));
                }
                default -> {
                  int most = LENGTH - next[which];
                  int size = random.nextInt(8) == 0 ? SeekableInput.MOST_AT_ONCE + 5 : 70_000;
                  int length = Math.min(most, random.nextInt(size));
                  int from = window.take(length);
                  next[which] += check(bytes, next[which], window.bytes(), from, length);
                }
              }
              assertThat(window.place().offset()).isEqualTo(next[which]);
            }
          });
    }
  }

  private static int check(byte[] file, int at, byte[] found, int from, int length) {
    assertThat(Arrays.equals(found, from, from + length, file, at, at + length)).isTrue();
    return length;
  }

  @Test
  void more_than_a_stretch_has_is_reported_with_its_place() throws IOException {
    try (StorageFiles.Input in = open(random(new Random(2), 1_000))) {
      FileWindow window = new FileWindow("data-1.parquet", in);
      window.move(100, 150);
      window.take(20);
      assertThatThrownBy(() -> window.take(31))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageStartingWith(
              "data-1.parquet at byte 120: 31 bytes are wanted of 30 that are left");
      assertThatThrownBy(() -> window.take(-1)).isInstanceOf(CorruptFileException.class);
      window.take(30);
      assertThat(window.read()).isEqualTo(-1);
    }
  }

  @Test
  void what_is_in_memory_is_not_read_again() throws IOException {
    try (StorageFiles.Input in = open(random(new Random(3), 100_000))) {
      FileWindow window = new FileWindow("f", in);
      window.move(0, 50_000);
      window.take(10);
      window.move(40_000, 50_000);
      window.take(10_000);
      window.move(20, 50_000);
      window.take(49_000);
      assertThat(in.bytesRead()).isEqualTo(50_000);
    }
  }
}
