package io.obelus.core.file.data;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.SeekableInputStream;

/** The files of a {@link Storage} as Parquet wants to see them. */
final class StorageFiles {

  private StorageFiles() {}

  /** A file to read, already open: its one stream is handed out. */
  static InputFile input(String path, Input open) {
    return new InputFile() {
      @Override
      public long getLength() {
        return open.size();
      }

      @Override
      public SeekableInputStream newStream() {
        return open;
      }

      @Override
      public String toString() {
        return path;
      }
    };
  }

  /**
   * An open file. Small reads are served from a buffer: Parquet reads its indexes byte by byte. So
   * are reads of the footer. Remembers what the storage threw, so that trouble of the disk and
   * trouble in the bytes can be told apart.
   */
  static final class Input extends SeekableInputStream {

    private static final int BUFFER = 1 << 13;

    /** Length of the footer, little endian, and the magic. */
    private static final int TRAILER = 4 + 4;

    /** A longer footer is read piece by piece as it is asked for. */
    private static final int MOST_FOOTER = 64 << 20;

    private final SeekableInput in;
    private Window end = Window.NONE; // of the file
    private Window near = Window.NONE;
    private Window buffer = Window.NONE;
    private Window current = Window.NONE; // one of these
    private NearRanges expected = new NearRanges();
    private long offset;
    private long bytesRead;
    private Exception failure;

    /** Bytes of the file from {@code start} on. */
    private record Window(long start, byte[] bytes) {
      private static final Window NONE = new Window(0, new byte[0]);

      private boolean holds(long from, int length) {
        return from >= start && from + length <= start + bytes.length;
      }

      private int at(long from) {
        return (int) (from - start);
      }
    }

    Input(SeekableInput in) {
      this.in = in;
    }

    long size() {
      return in.size();
    }

    /**
     * Reads the footer, to the end of the file: one request, if it is as short as most are. Shorter
     * than that if the file is damaged, of which Parquet will say more.
     */
    byte[] footer() throws IOException {
      int lastLength = (int) Math.min(BUFFER, size());
      byte[] last = fetch(size() - lastLength, lastLength).bytes;
      if (last.length < TRAILER) {
        return last;
      }
      ByteBuffer trailer = ByteBuffer.wrap(last, last.length - TRAILER, TRAILER);
      long length = TRAILER + Integer.toUnsignedLong(trailer.order(LITTLE_ENDIAN).getInt());
      if (length > size() || length > MOST_FOOTER) {
        length = TRAILER;
      }
      if (length <= last.length) {
        return Arrays.copyOfRange(last, last.length - (int) length, last.length);
      }
      byte[] footer = new byte[(int) length];
      int missing = footer.length - last.length;
      fromStorage(size() - length, footer, 0, missing);
      System.arraycopy(last, 0, footer, missing, last.length);
      return footer;
    }

    /** The bytes at the end of the file are these: they are not read again. */
    void end(byte[] bytes) {
      end = new Window(size() - bytes.length, bytes);
    }

    /** What is asked for next: ranges near each other are read at once. */
    void expect(NearRanges ranges) {
      expected = ranges.join(in.gap());
      current = current == near ? Window.NONE : current;
      near = Window.NONE;
    }

    /** Bytes taken from the storage so far. */
    long bytesRead() {
      return bytesRead;
    }

    /** What the storage threw, or null. */
    Exception failure() {
      return failure;
    }

    @Override
    public long getPos() {
      return offset;
    }

    @Override
    public void seek(long to) throws IOException {
      if (to < 0 || to > size()) { // an offset out of damaged bytes is no trouble of the storage
        throw new EOFException("there is no byte " + to + " in a file of " + size());
      }
      offset = to;
    }

    @Override
    public int read() throws IOException {
      if (offset == size()) {
        return -1;
      }
      Window window = window(1);
      return window.bytes[window.at(offset++)] & 0xff;
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      long left = size() - offset;
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      readFully(target, at, count);
      return count;
    }

    @Override
    public void readFully(byte[] target) throws IOException {
      readFully(target, 0, target.length);
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      if (length > size() - offset) {
        throw new EOFException(length + " bytes are wanted from byte " + offset + " of " + size());
      }
      Window window = window(length);
      if (window == null) {
        fromStorage(offset, target, at, length);
      } else {
        System.arraycopy(window.bytes, window.at(offset), target, at, length);
      }
      offset += length;
    }

    /**
     * The bytes in memory, brought there if need be, that hold the next so many of the file, which
     * has them; null if nobody but the reader wants them.
     */
    private Window window(int length) throws IOException {
      if (!current.holds(offset, length)) {
        current = other(length);
      }
      return current.holds(offset, length) ? current : null;
    }

    private Window other(int length) throws IOException {
      for (Window known : List.of(end, near, buffer)) {
        if (known.holds(offset, length)) {
          return known;
        }
      }
      NearRanges.Joined joined = expected.around(offset, length);
      if (joined != null && joined.to() <= size()) {
        near = fetch(joined.from(), joined.length());
        return near;
      } else if (length < BUFFER) {
        buffer = fetch(offset, (int) Math.min(BUFFER, size() - offset));
        return buffer;
      }
      return Window.NONE;
    }

    private Window fetch(long from, int length) throws IOException {
      byte[] bytes = new byte[length];
      fromStorage(from, bytes, 0, length);
      return new Window(from, bytes);
    }

    private void fromStorage(long from, byte[] target, int at, int length) throws IOException {
      try {
        in.seek(from);
        in.readFully(target, at, length);
      } catch (IOException | RuntimeException e) {
        failure = e;
        throw e;
      }
      bytesRead += length;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      int count = (int) Math.min(target.remaining(), Math.max(0, size() - offset));
      if (count == 0) {
        return target.hasRemaining() ? -1 : 0;
      }
      if (target.hasArray()) {
        readFully(target.array(), target.arrayOffset() + target.position(), count);
        target.position(target.position() + count);
      } else {
        byte[] bytes = new byte[count];
        readFully(bytes, 0, count);
        target.put(bytes);
      }
      return count;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        if (read(target) < 0) {
          throw new EOFException(
              target.remaining() + " bytes are wanted behind the end of the file");
        }
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** A file to write; {@code out} is its open stream, handed out once. */
  static OutputFile output(String path, Output out) {
    return new OutputFile() {
      @Override
      public PositionOutputStream create(long blockSize) {
        return out;
      }

      @Override
      public PositionOutputStream createOrOverwrite(long blockSize) {
        return out;
      }

      @Override
      public boolean supportsBlockSize() {
        return false;
      }

      @Override
      public long defaultBlockSize() {
        return 0;
      }

      @Override
      public String getPath() {
        return path;
      }
    };
  }

  /** An open file to write to, which counts its bytes. */
  static final class Output extends PositionOutputStream {

    private final OutputStream out;
    private long written;

    Output(OutputStream out) {
      this.out = out;
    }

    @Override
    public long getPos() {
      return written;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      written++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      written += length;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
