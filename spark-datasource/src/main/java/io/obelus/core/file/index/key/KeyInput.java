package io.obelus.core.file.index.key;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the numbers and keys of a part of a payload one after another, fetching some bytes ahead.
 * All reads end with a CorruptFileException at the end of the part. Not thread-safe.
 */
public final class KeyInput {

  /** Fetched at once: more than most heads have, less than a remote read takes time for. */
  private static final int AHEAD = 8192;

  private final Payload payload;
  private final int to;
  private final int ahead;
  private ByteBuffer fetched = ByteBuffer.allocate(0);
  private int fetchedFrom;

  private KeyInput(Payload payload, int from, int to, int ahead) {
    Payload.checkRange(payload, from, to - from);
    this.payload = payload;
    this.fetchedFrom = from;
    this.to = to;
    this.ahead = ahead;
  }

  /** Reads {@code [from, to)} as far as it is asked to. */
  public static KeyInput of(Payload payload, int from, int to) {
    return new KeyInput(payload, from, to, AHEAD);
  }

  /** Reads {@code [from, to)}, all of which is fetched at once. */
  public static KeyInput ofAll(Payload payload, int from, int to) {
    return new KeyInput(payload, from, to, to - from);
  }

  /** The next byte to read, in the payload. */
  public int position() {
    return fetchedFrom + fetched.position();
  }

  /** Bytes that are left of the part. */
  public int left() {
    return to - position();
  }

  public Place place() {
    return payload.place(position());
  }

  /** One unsigned byte. */
  public int byteOf(String what) throws IOException {
    return need(1, what).get() & 0xFF;
  }

  public short shortOf(String what) throws IOException {
    return need(Short.BYTES, what).getShort();
  }

  public int intOf(String what) throws IOException {
    return need(Integer.BYTES, what).getInt();
  }

  public long longOf(String what) throws IOException {
    return need(Long.BYTES, what).getLong();
  }

  /** A number of things, {@code least} bytes each or more, that all stand in what is left. */
  public int countOf(String what, int least) throws IOException {
    Place place = place();
    int count = intOf(what);
    if (count < 0 || (long) count * least > left()) {
      throw new CorruptFileException(
          place, what, "0 to %d, as %d bytes are left".formatted(left() / least, left()), count);
    }
    return count;
  }

  /** An int that must be one number. */
  public void expect(int expected, String what) throws IOException {
    Place place = place();
    int found = intOf(what);
    if (found != expected) {
      throw new CorruptFileException(place, what, expected, found);
    }
  }

  byte[] bytesOf(int count, String what) throws IOException {
    byte[] bytes = new byte[count];
    need(count, what).get(bytes);
    return bytes;
  }

  /** Makes sure that {@code count} bytes can be got. */
  private ByteBuffer need(int count, String what) throws IOException {
    if (count > left()) {
      throw new CorruptFileException(
          place(), "%s ends %d bytes early".formatted(what, count - left()));
    }
    if (fetched.remaining() < count) {
      int from = position();
      fetched = payload.read(from, Math.max(count, Math.min(ahead, to - from)));
      fetchedFrom = from;
    }
    return fetched;
  }
}
