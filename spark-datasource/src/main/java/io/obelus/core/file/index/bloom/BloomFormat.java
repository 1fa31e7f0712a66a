package io.obelus.core.file.index.bloom;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a bloom filter index (spec chapter 23).
 *
 * <pre>
 *   int BE     k, how many bits each value sets
 *   m/8 bytes  the bits; bit i is (byte[i / 8] &gt;&gt; i % 8) &amp; 1
 * </pre>
 *
 * <p>The i-th bit of a value, i = 1 to k, comes out of its 64-bit hash, low and high half: {@code c
 * = low + i * high} in 32 bits, {@code ~c} if that is below 0, modulo m. Nothing says which version
 * this is, how many values there are, or what happened to nulls: they set no bit.
 */
final class BloomFormat {

  private static final int HEAD = 4;

  /** More than any {@code fpp} that a double can hold asks for, which is some 1100. */
  private static final int MOST_HASHES = 2048;

  private static final int MOST_BYTES = Integer.MAX_VALUE / Byte.SIZE;

  /** Read as a whole up to here: at 50 MB/s that takes the 20 ms that one more request costs. */
  private static final int READ_WHOLE = 1 << 20;

  private BloomFormat() {}

  /**
   * How large a filter is.
   *
   * @param bits m, divisible by 8
   * @param hashes k
   */
  record Size(int bits, int hashes) {

    /** As Paimon 1.3.1 chooses it; null if that are more bits than an int counts. */
    static Size of(int items, double fpp) {
      double wanted = -items * Math.log(fpp) / (Math.log(2) * Math.log(2));
      if (wanted > Integer.MAX_VALUE - Byte.SIZE) {
        return null;
      }
      int bits = (int) wanted;
      bits += Byte.SIZE - bits % Byte.SIZE; // at least one more
      return new Size(bits, (int) Math.max(1, Math.round((double) bits / items * Math.log(2))));
    }

    /** Bytes of the payload. */
    int bytes() {
      return HEAD + bits / Byte.SIZE;
    }
  }

  /** The i-th bit of a value, i from 1 on. */
  private static int position(long hash, int i, int bits) {
    int combined = (int) hash + i * (int) (hash >>> Integer.SIZE);
    return (combined < 0 ? ~combined : combined) % bits;
  }

  /** A filter being filled. */
  static final class Builder {
    private final Size size;
    private final byte[] payload;

    Builder(Size size) {
      this.size = size;
      this.payload = new byte[size.bytes()];
      ByteBuffer.wrap(payload).putInt(size.hashes);
    }

    void add(long hash) {
      for (int i = 1; i <= size.hashes; i++) {
        int position = position(hash, i, size.bits);
        payload[HEAD + position / Byte.SIZE] |= (byte) (1 << position % Byte.SIZE);
      }
    }

    /** About how many different values were added, by the share of bits that are set. */
    int differentValues() {
      long set = 0;
      for (int i = HEAD; i < payload.length; i++) {
        set += Integer.bitCount(payload[i] & 0xFF);
      }
      double free = 1 - (double) set / size.bits;
      return (int) Math.ceil(-Math.log(free) * size.bits / size.hashes); // the most of ints if full
    }

    byte[] payload() {
      return payload;
    }
  }

  /**
   * Opens a filter; a large one is not read yet.
   *
   * @throws CorruptFileException if it has no bit, or k is none that a writer would choose
   */
  static Filter open(Payload payload) throws IOException {
    int length = payload.length();
    if (length <= HEAD || length - HEAD > MOST_BYTES) {
      throw new CorruptFileException(
          payload.place(0),
          "length of the bloom filter",
          "%d to %d bytes".formatted(HEAD + 1, HEAD + MOST_BYTES),
          length);
    }
    ByteBuffer head = payload.read(0, length <= READ_WHOLE ? length : HEAD);
    int hashes = head.getInt(0);
    if (hashes <= 0 || hashes > MOST_HASHES) {
      throw new CorruptFileException(
          payload.place(0), "number of hashes of the bloom filter", "1 to " + MOST_HASHES, hashes);
    }
    Size size = new Size((length - HEAD) * Byte.SIZE, hashes);
    return new Filter(payload, size, length <= READ_WHOLE ? head : null);
  }

  /** A filter being asked. Not thread-safe. */
  static final class Filter {
    private final Payload payload;
    private final Size size;
    private ByteBuffer whole; // null as long as just single bytes are read

    private Filter(Payload payload, Size size, ByteBuffer whole) {
      this.payload = payload;
      this.size = size;
      this.whole = whole;
    }

    /** Says that many values will be asked for, more than single bytes pay for. */
    void readWhole() throws IOException {
      if (whole == null) {
        whole = payload.readAll();
      }
    }

    /** Whether a value of this hash may be there; false is certain. */
    boolean mayContain(long hash) throws IOException {
      for (int i = 1; i <= size.hashes; i++) {
        int position = position(hash, i, size.bits);
        if ((byteAt(HEAD + position / Byte.SIZE) >> position % Byte.SIZE & 1) == 0) {
          return false;
        }
      }
      return true;
    }

    private byte byteAt(int at) throws IOException {
      return whole == null ? payload.read(at, 1).get() : whole.get(at);
    }
  }
}
