package io.obelus.core.io;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;

/**
 * A storage that counts the bytes read through it, by kind of file, and may have a cache of parts
 * of files. Thread-safe.
 */
public final class CountedStorage implements Storage {

  private static final long serialVersionUID = 1;

  private final Storage inner;
  private final transient PartCache parts; // of this JVM; where it is not known there is none
  private final Map<String, LongAdder> bytesRead = new ConcurrentHashMap<>();

  /** Counts from 0. */
  public CountedStorage(Storage inner, PartCache parts) {
    this.inner = inner;
    this.parts = parts;
  }

  @Override
  public PartCache parts() {
    return parts == null ? PartCache.NONE : parts;
  }

  /**
   * Bytes read so far.
   *
   * @param extension with which the names of the files end, such as {@code ".parquet"}; of names
   *     with several, the last counts
   */
  public long bytesRead(String extension) {
    LongAdder bytes = bytesRead.get(extension);
    return bytes == null ? 0 : bytes.sum();
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot) : "";
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    LongAdder bytes = bytesRead.computeIfAbsent(extension(path), e -> new LongAdder());
    return new CountedInput(inner.open(path), bytes);
  }

  private record CountedInput(SeekableInput in, LongAdder bytes) implements SeekableInput {
    @Override
    public long size() {
      return in.size();
    }

    @Override
    public int gap() {
      return in.gap();
    }

    @Override
    public long position() throws IOException {
      return in.position();
    }

    @Override
    public void seek(long offset) throws IOException {
      in.seek(offset);
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      int read = in.read(target, at, length);
      bytes.add(Math.max(0, read));
      return read;
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      in.readFully(target, at, length);
      bytes.add(length);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Override
  public long size(String path) throws IOException {
    return inner.size(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return inner.exists(path);
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    return inner.list(directory);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return inner.create(path);
  }

  @Override
  public boolean createIfAbsent(String path, byte[] content) throws IOException {
    return inner.createIfAbsent(path, content);
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    inner.overwrite(path, content);
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    inner.makeDirectory(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    inner.rename(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return inner.delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return inner.deleteDirectory(directory);
  }

  @Override
  public Configuration configuration() {
    return inner.configuration();
  }
}
