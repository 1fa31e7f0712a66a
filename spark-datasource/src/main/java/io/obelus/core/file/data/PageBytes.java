package io.obelus.core.file.data;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;

/**
 * A page in an array. Its stream makes no object for a slice, where Parquet's makes one: Spark's
 * reader takes a slice for each text and for every eight dictionary ids, and spent a third of a
 * scan's time on making them.
 */
final class PageBytes extends BytesInput {

  private final byte[] bytes;
  private final int from;
  private final int length;
  private final boolean slicesLast;

  /**
   * The bytes {@code [from, from + length)}, which must not change while this is used.
   *
   * @param slicesLast whether slices of what remains of a stream last: decoders of deltas keep
   *     some, those of plain values use each at once
   */
  PageBytes(byte[] bytes, int from, int length, boolean slicesLast) {
    this.bytes = bytes;
    this.from = from;
    this.length = length;
    this.slicesLast = slicesLast;
  }

  @Override
  public void writeAllTo(OutputStream out) throws IOException {
    out.write(bytes, from, length);
  }

  @Override
  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  @Override
  public ByteBuffer toByteBuffer() {
    return ByteBuffer.wrap(bytes, from, length);
  }

  @Override
  public ByteBufferInputStream toInputStream() {
    return new Stream(bytes, from, from + length, slicesLast);
  }

  @Override
  public long size() {
    return length;
  }

  /**
   * Reads the bytes {@code [start, end)}. A slice is valid until the next one is taken; slices that
   * must last come from {@link #sliceBuffers} and, if the page says so, {@link #remainingStream}.
   * Not thread-safe.
   */
  private static final class Stream extends ByteBufferInputStream {

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final boolean slicesLast; // of the remaining stream
    private final ByteBuffer slice;
    private int next;
    private int marked = -1;

    @SuppressWarnings("deprecation") // the one constructor that is left to others
    Stream(byte[] bytes, int start, int end, boolean slicesLast) {
      super(ByteBuffer.wrap(bytes, start, end - start));
      this.slicesLast = slicesLast;
      this.bytes = bytes;
      this.start = start;
      this.end = end;
      this.slice = ByteBuffer.wrap(bytes);
      this.next = start;
    }

    @Override
    public ByteBuffer slice(int length) throws EOFException {
      int from = take(length);
      slice.limit(from + length);
      slice.position(from);
      return slice.order(ByteOrder.BIG_ENDIAN);
    }

    /** Goes on by {@code length} bytes; returns where they begin. */
    private int take(long length) throws EOFException {
      if (length < 0 || length > end - next) {
        throw new EOFException(
            "%d bytes are wanted of a page that has %d left".formatted(length, end - next));
      }
      int from = next;
      next += (int) length;
      return from;
    }

    @Override
    public List<ByteBuffer> sliceBuffers(long length) throws EOFException {
      int from = take(length);
      return length == 0 ? List.of() : List.of(lasting(from, next));
    }

    private ByteBuffer lasting(int from, int to) {
      return ByteBuffer.wrap(bytes, from, to - from);
    }

    @Override
    public ByteBufferInputStream sliceStream(long length) throws EOFException {
      int from = take(length);
      return new Stream(bytes, from, next, slicesLast);
    }

    @Override
    public List<ByteBuffer> remainingBuffers() {
      int from = next;
      next = end;
      return from == end ? List.of() : List.of(lasting(from, end));
    }

    @Override
    public ByteBufferInputStream remainingStream() {
      if (slicesLast) {
        return ByteBufferInputStream.wrap(remainingBuffers());
      }
      int from = next;
      next = end;
      return new Stream(bytes, from, end, false);
    }

    @Override
    public ByteBuffer toByteBuffer() {
      int from = next;
      next = end;
      return lasting(from, end);
    }

    @Override
    public long position() {
      return next - start;
    }

    @Override
    public int available() {
      return end - next;
    }

    @Override
    public int read() throws IOException {
      if (next == end) {
        throw new EOFException("a page ends where a byte is wanted");
      }
      return bytes[next++] & 0xff;
    }

    @Override
    public int read(byte[] target, int at, int length) {
      if (length == 0) {
        return 0;
      }
      int read = Math.min(length, end - next);
      if (read == 0) {
        return -1;
      }
      System.arraycopy(bytes, next, target, at, read);
      next += read;
      return read;
    }

    /** As in Parquet, the target is flipped. */
    @Override
    public int read(ByteBuffer target) {
      int read = Math.min(target.remaining(), end - next);
      target.put(bytes, next, read);
      target.flip();
      next += read;
      return read;
    }

    @Override
    public long skip(long length) {
      if (length <= 0) {
        return 0;
      }
      int skipped = (int) Math.min(length, end - next);
      next += skipped;
      return skipped == 0 ? -1 : skipped;
    }

    @Override
    public void skipFully(long length) throws EOFException {
      take(length);
    }

    @Override
    public void mark(int limit) {
      marked = next;
    }

    @Override
    public void reset() throws IOException {
      if (marked < 0) {
        throw new IOException("no mark was set");
      }
      next = marked;
      marked = -1; // it serves once, as in Parquet
    }

    @Override
    public boolean markSupported() {
      return true;
    }
  }
}
