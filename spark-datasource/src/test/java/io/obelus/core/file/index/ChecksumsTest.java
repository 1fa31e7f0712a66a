package io.obelus.core.file.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.index.FileIndexFormat.Directory;
import io.obelus.core.file.index.FileIndexFormat.Entry;
import io.obelus.core.file.index.FileIndexFormat.Slot;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.Test;

class ChecksumsTest {

  private static final List<Entry> SMALL =
      List.of(new Entry("c", "k", bytes(100)), new Entry("d", "k", bytes(50)));

  @Test
  void each_flipped_bit_is_an_error_or_changes_nothing() throws IOException {
    byte[] container = FileIndexFormat.write(SMALL);
    int unnoticed = 0;
    for (int bit = 0; bit < 8 * container.length; bit++) {
      byte[] damaged = container.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(contents(damaged)).as("bit %d", bit).isEqualTo(contents(container));
        unnoticed++;
      } catch (CorruptFileException | UnknownVersionException e) {
        assertThat(e).hasMessageStartingWith("f.index at byte ");
      }
    }
    // The tag makes the checksums count; the number of redundant bytes is not needed to read them.
    assertThat(unnoticed).isLessThanOrEqualTo(2 * 32);
  }

  @Test
  void each_piece_of_a_large_body_is_checked_when_it_is_read() {
    Seeds.each(
        random -> {
          byte[] payload = new byte[random.nextInt(100_000) + 1];
          random.nextBytes(payload);
          byte[] container =
              FileIndexFormat.write(
                  List.of(new Entry("c", "k", bytes(random.nextInt(100))), entry(payload)));
          Directory directory = FileIndexFormat.read(payload(container));
          Payload stored = directory.payload(directory.of("d").get(0));
          int from = random.nextInt(payload.length);
          int length = random.nextInt(payload.length - from + 1);
          assertThat(stored.read(from, length)).isEqualTo(ByteBuffer.wrap(payload, from, length));
          flipOneBit(random, container, container.length - payload.length, payload.length);
          assertThatThrownBy(() -> contents(container))
              .isInstanceOf(CorruptFileException.class)
              .hasMessageContaining("CRC-32 of ")
              .hasMessageContaining(" bytes of a file index should be ");
        });
  }

  @Test
  void other_engines_step_over_them() throws Exception {
    byte[] container = FileIndexFormat.write(SMALL);
    RowType type =
        new RowType(
            List.of(
                new DataField(0, "c", DataTypes.INT()), new DataField(1, "d", DataTypes.INT())));
    try (var reader =
        org.apache.paimon.fileindex.FileIndexFormat.createReader(
            new ByteArraySeekableStream(container), type)) {
      assertThat(reader).isNotNull();
    }
  }

  private static Entry entry(byte[] payload) {
    return new Entry("d", "k", payload);
  }

  private static void flipOneBit(Random random, byte[] bytes, int from, int length) {
    bytes[from + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static Payload payload(byte[] container) {
    return Payload.of(ByteBuffer.wrap(container), Place.startOf("f.index"));
  }

  /** All that a container says. */
  private static String contents(byte[] container) throws IOException {
    StringBuilder text = new StringBuilder();
    Directory directory = FileIndexFormat.read(payload(container));
    for (Slot slot : directory.slots()) {
      text.append(slot.column()).append(' ').append(slot.kind()).append(' ');
      ByteBuffer bytes = directory.payload(slot).readAll();
      while (bytes.hasRemaining()) {
        text.append(bytes.get()).append(' ');
      }
    }
    return text.toString();
  }
}
