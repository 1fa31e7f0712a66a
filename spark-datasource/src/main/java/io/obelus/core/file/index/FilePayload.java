package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.SeekableInput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A container in a file of its own, read piece by piece. */
final class FilePayload implements Payload, Closeable {

  private final Place start;
  private final SeekableInput input;
  private byte[] begin = {}; // of the file, as far as it is known

  /** The input is closed with this object. */
  FilePayload(String path, SeekableInput input) {
    this.start = Place.startOf(path);
    this.input = input;
    if (input.size() > Integer.MAX_VALUE) {
      throw new CorruptFileException(
          start, "size of a file index", "below 2^31 bytes", input.size());
    }
  }

  @Override
  public int length() {
    return (int) input.size();
  }

  @Override
  public int gap() {
    return input.gap();
  }

  @Override
  public Place place(int at) {
    return start.plus(at);
  }

  @Override
  public ByteBuffer read(int from, int length) throws IOException {
    Payload.checkRange(this, from, length);
    if (from <= begin.length - length) {
      return ByteBuffer.wrap(begin).slice(from, length);
    }
    byte[] bytes = new byte[length];
    input.seek(from);
    input.readFully(bytes, 0, length);
    if (from == 0) {
      begin = bytes;
    }
    return ByteBuffer.wrap(bytes);
  }

  /** The file begins with these bytes: they are not read again. */
  void begin(byte[] bytes) {
    begin = bytes;
  }

  /** The first bytes of the file, which have been read. */
  byte[] begin(int length) {
    return Arrays.copyOf(begin, length);
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
