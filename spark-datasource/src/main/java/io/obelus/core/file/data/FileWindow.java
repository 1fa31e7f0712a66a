package io.obelus.core.file.data;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stretch of a file as a stream, of which a window is in memory. Several may walk through one
 * open file by turns. Not thread-safe.
 */
final class FileWindow extends InputStream {

  /** As much as is read at once of ranges near each other, which would be read again otherwise. */
  private static final int MOST_AHEAD = SeekableInput.MOST_AT_ONCE;

  private final String path;
  private final StorageFiles.Input in;
  private long end; // of the stretch

  // The bytes [start, start + filled) of the file, of which the next is number at.
  private byte[] bytes = new byte[0];
  private long start;
  private int filled;
  private int at;

  FileWindow(String path, StorageFiles.Input in) {
    this.path = path;
    this.in = in;
  }

  /** Goes to a stretch of the file, the bytes {@code [from, to)}; the file may end before. */
  void move(long from, long to) {
    if (from >= start && from <= start + filled) {
      at = (int) (from - start);
    } else {
      start = from;
      filled = 0;
      at = 0;
    }
    end = to;
  }

  /** Where in the file the next byte stands. */
  Place place() {
    return new Place(path, start + at);
  }

  /**
   * Takes the next bytes, which are brought into memory as one piece.
   *
   * @return where they begin in {@link #bytes()}, until the next call
   * @throws CorruptFileException if the stretch has fewer
   */
  int take(int length) throws IOException {
    if (length < 0 || length > left()) {
      throw new CorruptFileException(
          place(), "%d bytes are wanted of %d that are left".formatted(length, left()));
    }
    if (length > filled - at) {
      fill(length);
    }
    int from = at;
    at += length;
    return from;
  }

  private long left() {
    return end - start - at;
  }

  /** The memory that {@link #take} speaks of. */
  byte[] bytes() {
    return bytes;
  }

  /** Brings the next bytes into memory, at least {@code least} and ahead what may come next. */
  private void fill(int least) throws IOException {
    int kept = filled - at;
    int size = (int) Math.min(left(), Math.max(least, MOST_AHEAD));
    byte[] target = size <= bytes.length ? bytes : new byte[size];
    System.arraycopy(bytes, at, target, 0, kept);
    start += at;
    at = 0;
    filled = kept;
    bytes = target;
    in.seek(start + kept);
    in.readFully(bytes, kept, size - kept);
    filled = size;
  }

  @Override
  public int read() throws IOException {
    if (at == filled) {
      if (left() <= 0) {
        return -1;
      }
      fill(1);
    }
    return bytes[at++] & 0xff;
  }

  @Override
  public int read(byte[] target, int to, int length) throws IOException {
    int count = (int) Math.min(length, left());
    if (count <= 0) {
      return length == 0 ? 0 : -1;
    }
    int from = take(count);
    System.arraycopy(bytes, from, target, to, count);
    return count;
  }
}
