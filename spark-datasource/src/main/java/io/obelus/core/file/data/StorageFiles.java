package io.obelus.core.file.data;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
    private final byte[] buffer = new byte[BUFFER];
    private long bufferStart;
    private int bufferLength;
    private byte[] end = {}; // of the file
    private long offset;
    private long bytesRead;
    private Exception failure;

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
      byte[] last = last(Math.min(BUFFER, size()));
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

    private byte[] last(long count) throws IOException {
      byte[] last = new byte[(int) count];
      fromStorage(size() - count, last, 0, last.length);
      return last;
    }

    /** The bytes at the end of the file are these: they are not read again. */
    void end(byte[] bytes) {
      end = bytes;
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
      long fromEnd = offset - (size() - end.length);
      if (fromEnd >= 0 && fromEnd < end.length) {
        offset++;
        return end[(int) fromEnd] & 0xff;
      }
      return available(1) ? buffer[(int) (offset++ - bufferStart)] & 0xff : -1;
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
      long fromEnd = offset - (size() - end.length);
      if (fromEnd >= 0) {
        System.arraycopy(end, (int) fromEnd, target, at, length);
      } else if (length < BUFFER && available(length)) {
        System.arraycopy(buffer, (int) (offset - bufferStart), target, at, length);
      } else {
        fromStorage(offset, target, at, length);
      }
      offset += length;
    }

    /** Whether the next so many bytes, fewer than a buffer, could be brought into the buffer. */
    private boolean available(int length) throws IOException {
      if (offset >= bufferStart && offset + length <= bufferStart + bufferLength) {
        return true;
      }
      int wanted = (int) Math.min(BUFFER, size() - offset);
      if (wanted < length) {
        return false;
      }
      bufferLength = 0;
      fromStorage(offset, buffer, 0, wanted);
      bufferStart = offset;
      bufferLength = wanted;
      return true;
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
