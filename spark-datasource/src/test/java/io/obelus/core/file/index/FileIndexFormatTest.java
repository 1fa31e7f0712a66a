package io.obelus.core.file.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.obelus.core.file.index.FileIndexFormat.Directory;
import io.obelus.core.file.index.FileIndexFormat.Entry;
import io.obelus.core.file.index.FileIndexFormat.Slot;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileIndexFormatTest {

  private static final Path GOLDEN = Path.of(System.getProperty("golden"), "index");

  /** One index: kind {@code k} of column {@code c}, payload {@code 11 22}. */
  private static final byte[] SMALL =
      FileIndexFormat.write(List.of(new Entry("c", "k", new byte[] {0x11, 0x22})), false);

  @ParameterizedTest
  @ValueSource(strings = {"map-keys", "modified-utf8", "no-columns", "three-columns"})
  void directories_of_paimon_are_read(String name) throws IOException {
    Payload container = golden(name);
    List<Slot> expected = new ArrayList<>();
    for (JsonNode entry : sidecar(name).get("entries")) {
      expected.add(
          new Slot(
              entry.get("column").asText(),
              entry.get("index_type").asText(),
              entry.get("start").asInt(),
              entry.get("length").asInt()));
    }
    assertThat(FileIndexFormat.read(container).slots()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-keys", "modified-utf8", "no-columns", "three-columns"})
  void what_is_written_in_the_same_order_has_the_same_bytes(String name) throws IOException {
    Payload container = golden(name);
    List<Entry> entries = new ArrayList<>();
    for (Slot slot : FileIndexFormat.read(container).slots()) {
      byte[] payload = null;
      if (!slot.isAbsent()) {
        payload = new byte[slot.length()];
        FileIndexFormat.read(container).payload(slot).readAll().get(payload);
      }
      entries.add(new Entry(slot.column(), slot.kind(), payload));
    }
    assertThat(FileIndexFormat.write(entries, false)).isEqualTo(bytes(name));
  }

  @Test
  void an_absent_payload_is_told_from_an_empty_one() throws IOException {
    byte[] container =
        FileIndexFormat.write(
            List.of(new Entry("c", "none", null), new Entry("c", "empty", new byte[0])), false);
    List<Slot> slots = FileIndexFormat.read(payload(container)).slots();
    assertThat(slots.get(0)).isEqualTo(new Slot("c", "none", -1, 0));
    assertThat(slots.get(0).isAbsent()).isTrue();
    assertThat(slots.get(1)).isEqualTo(new Slot("c", "empty", container.length, 0));
    assertThat(slots.get(1).isAbsent()).isFalse();
  }

  @Test
  void entries_of_a_column_stand_together_whatever_their_order() throws IOException {
    byte[] container =
        FileIndexFormat.write(
            List.of(
                new Entry("a", "x", new byte[] {1}),
                new Entry("b", "x", new byte[] {2}),
                new Entry("a", "y", new byte[] {3})),
            false);
    Directory directory = FileIndexFormat.read(payload(container));
    assertThat(directory.of("a")).extracting(Slot::kind).containsExactly("x", "y");
    assertThat(directory.of("b")).extracting(Slot::kind).containsExactly("x");
    assertThat(directory.of("c")).isEmpty();
    Slot last = directory.of("a").get(1);
    assertThat(directory.payload(last).readAll().get()).isEqualTo((byte) 3);
  }

  @Test
  void of_two_columns_with_one_name_the_later_counts_for_each_kind() throws IOException {
    byte[] container =
        FileIndexFormat.write(
            List.of(
                new Entry("c", "x", new byte[] {1}),
                new Entry("d", "x", new byte[] {2}),
                new Entry("d", "y", new byte[] {3})),
            false);
    int name = indexOf(container, 'd');
    container[name] = 'c';
    Directory directory = FileIndexFormat.read(payload(container));
    assertThat(directory.slots()).isEqualTo(directory.of("c"));
    assertThat(directory.slots())
        .containsExactly(
            new Slot("c", "x", container.length - 2, 1),
            new Slot("c", "y", container.length - 1, 1));
  }

  @Test
  void redundant_bytes_are_skipped_by_the_length_of_the_head() throws IOException {
    byte[] container = new byte[SMALL.length + 5];
    int head = SMALL.length - 2;
    System.arraycopy(SMALL, 0, container, 0, head);
    System.arraycopy(SMALL, head, container, head + 5, 2);
    ByteBuffer.wrap(container)
        .putInt(12, head + 5)
        .putInt(head - 4, 5) // number of redundant bytes
        .putInt(head - 12, head + 5); // start
    Slot slot = FileIndexFormat.read(payload(container)).slots().get(0);
    assertThat(slot).isEqualTo(new Slot("c", "k", head + 5, 2));
    assertThat(FileIndexFormat.read(payload(container)).payload(slot).readAll().getShort())
        .isEqualTo((short) 0x1122);
  }

  @Test
  void a_small_head_takes_one_read_and_a_large_one_two() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      entries.add(new Entry("column_" + i, "bitmap", new byte[100]));
    }
    byte[] large = FileIndexFormat.write(entries, false);
    int head = ByteBuffer.wrap(large).getInt(12);
    assertThat(head).isGreaterThan(4096);
    assertThat(readsOf(large)).containsExactly("0+4096", "0+" + head);
    assertThat(readsOf(FileIndexFormat.write(entries.subList(0, 100), false)))
        .containsExactly("0+4096");
    assertThat(readsOf(SMALL)).containsExactly("0+" + SMALL.length);
  }

  @Test
  void a_payload_knows_its_place_and_its_end() throws IOException {
    Slot slot = new Slot("c", "k", SMALL.length - 2, 2);
    Payload inner = FileIndexFormat.read(payload(SMALL)).payload(slot);
    assertThat(inner.place(1)).isEqualTo(new Place("f.index", 100 + SMALL.length - 1));
    assertThatThrownBy(() -> inner.read(1, 2))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("bytes [1, 3) of the index should be within [0, 2) but are not");
  }

  @Test
  void another_magic_is_refused() {
    assertRefused(
        0,
        0x11,
        "f.index at byte 100: magic of a file index should be 00054e4ed01a35ae but is"
            + " 11054e4ed01a35ae. ");
  }

  @Test
  void another_version_is_refused_by_name() {
    byte[] container = SMALL.clone();
    container[11] = 2;
    assertThatThrownBy(() -> FileIndexFormat.read(payload(container)))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageStartingWith(
            "f.index at byte 108: file index has version 2, but this release reads 1.");
  }

  @Test
  void a_head_longer_than_the_container_is_refused() {
    assertRefused(
        12, 1, "f.index at byte 112: length of the head should be 24 to 44 but is 16777258. ");
    assertRefused(12, -1, "f.index at byte 112: length of the head should be 24 to 44 but is -");
  }

  @Test
  void counts_that_run_past_the_head_are_refused() {
    assertRefused(19, 9, "f.index at byte 116: number of columns should be 0 to 3 but is 9. ");
    assertRefused(16, -1, "f.index at byte 116: number of columns should be 0 to 3 but is -");
    assertRefused(
        26, 5, "f.index at byte 123: number of indexes of column 'c' should be 0 to 1 but is 5. ");
    assertRefused(
        41, 1, "f.index at byte 138: number of redundant bytes should be 0 to 0 but is 1");
  }

  @Test
  void a_name_that_runs_past_the_head_is_refused() {
    assertRefused(
        21, 30, "f.index at byte 120: name of column 0 takes 32 bytes, but the head has 22 left. ");
  }

  @Test
  void a_name_that_is_no_modified_utf8_is_refused() {
    assertRefused(
        22, 0xff, "f.index at byte 120: name of column 0 is not in modified UTF-8: malformed ");
  }

  @Test
  void a_payload_outside_the_container_is_refused() {
    String start = "f.index at byte 130: range of the k index of column 'c' should be within bytes";
    assertRefused(33, 41, start + " [42, 44) but is [41, 43). ");
    assertRefused(33, 43, start + " [42, 44) but is [43, 45). ");
    assertRefused(37, 3, start + " [42, 44) but is [42, 45). ");
    assertRefused(34, 0x80, start + " [42, 44) but is [42, -2147483604). ");
    byte[] absent = SMALL.clone();
    ByteBuffer.wrap(absent).putInt(30, -1);
    assertThatThrownBy(() -> FileIndexFormat.read(payload(absent)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(start + " [42, 44) but is [-1, 1). ");
  }

  @Test
  void a_name_too_long_for_the_directory_is_refused() {
    String name = "x".repeat(65_536);
    assertThatThrownBy(() -> FileIndexFormat.write(List.of(new Entry(name, "k", new byte[1]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + "x".repeat(40) + "…' has more bytes than the 65535 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-keys", "modified-utf8", "no-columns"})
  void whatever_bit_flips_and_wherever_it_ends_is_an_error_or_a_directory(String name)
      throws IOException {
    byte[] sound = bytes(name);
    int head = ByteBuffer.wrap(sound).getInt(12);
    for (int bit = 0; bit < 8 * head; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertReadsOrIsRefused(damaged);
    }
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> FileIndexFormat.read(payload(cut)))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  private static void assertReadsOrIsRefused(byte[] container) throws IOException {
    try {
      Directory directory = FileIndexFormat.read(payload(container));
      for (Slot slot : directory.slots()) {
        if (!slot.isAbsent()) {
          directory.payload(slot).readAll();
        }
      }
    } catch (CorruptFileException | UnknownVersionException expected) {
      assertThat(expected).hasMessageStartingWith("f.index at byte ");
    }
  }

  private static void assertRefused(int at, int value, String message) {
    byte[] damaged = SMALL.clone();
    damaged[at] = (byte) value;
    assertThatThrownBy(() -> FileIndexFormat.read(payload(damaged)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(message);
  }

  private static List<String> readsOf(byte[] container) throws IOException {
    List<String> reads = new ArrayList<>();
    Payload all = payload(container);
    FileIndexFormat.read(
        new Payload() {
          @Override
          public int length() {
            return all.length();
          }

          @Override
          public Place place(int at) {
            return all.place(at);
          }

          @Override
          public ByteBuffer read(int from, int length) throws IOException {
            reads.add(from + "+" + length);
            return all.read(from, length);
          }
        });
    return reads;
  }

  private static int indexOf(byte[] bytes, char letter) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == letter) {
        return i;
      }
    }
    throw new AssertionError("no " + letter);
  }

  private static Payload payload(byte[] bytes) {
    return Payload.of(ByteBuffer.wrap(bytes), new Place("f.index", 100));
  }

  private static Payload golden(String name) throws IOException {
    return payload(bytes(name));
  }

  private static byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(GOLDEN.resolve("container-" + name + ".bin"));
  }

  private static JsonNode sidecar(String name) throws IOException {
    return new ObjectMapper().readTree(GOLDEN.resolve("container-" + name + ".json").toFile());
  }
}
