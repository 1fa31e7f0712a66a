package io.obelus.core.io;

import java.io.Closeable;
import java.io.IOException;

/** One open file, read at any place. Not thread-safe. */
public interface SeekableInput extends Closeable {

  /**
   * Bytes between two wanted ranges of a remote file that are rather read than skipped: a request
   * takes some ten milliseconds, in which a megabyte is sent.
   */
  int REMOTE_GAP = 32 << 10;

  /** The most bytes that are read at once, be it ahead or because wanted ranges are near. */
  int MOST_AT_ONCE = 4 << 20;

  /** Size of the file in bytes. */
  long size();

  /** Bytes between two wanted ranges that are rather read than skipped. */
  default int gap() {
    return REMOTE_GAP;
  }

  /** The offset of the next byte read. */
  long position() throws IOException;

  /** Makes {@code offset} the next byte read; the offset may be the size of the file, not more. */
  void seek(long offset) throws IOException;

  /**
   * Reads between 1 and {@code length} bytes into {@code target} from {@code at} on.
   *
   * @return the number of bytes read, or -1 at the end of the file
   */
  int read(byte[] target, int at, int length) throws IOException;

  /** Reads exactly {@code length} bytes, or throws {@link java.io.EOFException}. */
  void readFully(byte[] target, int at, int length) throws IOException;
}
