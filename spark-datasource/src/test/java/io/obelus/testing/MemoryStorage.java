package io.obelus.testing;

import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;

/**
 * Files and directories in memory. Thread-safe; every method is one atomic step. A serialized copy
 * is the same storage, as long as one is in use in this process.
 *
 * <p>Its clock is a counter, one millisecond per file made, so that a test sees the same times each
 * time. Spark's Parquet reader cannot see these files.
 */
public final class MemoryStorage implements Storage {

  private static final long serialVersionUID = 1;
  private static final AtomicLong IDS = new AtomicLong();
  private static final Map<Long, WeakReference<MemoryStorage>> ALL = new ConcurrentHashMap<>();

  /** A directory has no content. */
  private record Node(byte[] content, long modifiedMillis) {}

  private final long id = IDS.incrementAndGet();
  private final transient NavigableMap<String, Node> nodes = new TreeMap<>();
  private transient long clock;

  public MemoryStorage() {
    ALL.put(id, new WeakReference<>(this));
  }

  private Object readResolve() {
    MemoryStorage original = ALL.get(id).get();
    if (original == null) {
      throw new IllegalStateException("MemoryStorage " + id + " is gone: nothing refers to it.");
    }
    return original;
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    return new MemoryInput(read(path));
  }

  /** The content of a file; the array is a copy. */
  @Override
  public synchronized byte[] read(String path) throws IOException {
    return file(path).content.clone();
  }

  @Override
  public synchronized long size(String path) throws IOException {
    return file(path).content.length;
  }

  @Override
  public synchronized boolean exists(String path) {
    return nodes.containsKey(plain(path));
  }

  @Override
  public synchronized List<Entry> list(String directory) {
    String prefix = plain(directory) + "/";
    List<Entry> entries = new ArrayList<>();
    below(prefix)
        .forEach(
            (path, node) -> {
              String name = path.substring(prefix.length());
              if (name.indexOf('/') < 0) {
                boolean isDirectory = node.content == null;
                long size = isDirectory ? 0 : node.content.length;
                entries.add(new Entry(name, isDirectory, size, node.modifiedMillis));
              }
            });
    return entries;
  }

  /** The name is taken at once, with no content; the content is there once the stream is closed. */
  @Override
  public synchronized OutputStream create(String path) throws IOException {
    if (!createIfAbsent(path, new byte[0])) {
      throw new FileAlreadyExistsException(path);
    }
    return new ByteArrayOutputStream() {
      @Override
      public void close() {
        finish(path, toByteArray());
      }
    };
  }

  private synchronized void finish(String path, byte[] content) {
    nodes.computeIfPresent(plain(path), (p, node) -> new Node(content, node.modifiedMillis));
  }

  @Override
  public synchronized boolean createIfAbsent(String path, byte[] content) throws IOException {
    if (exists(path)) {
      return false;
    }
    overwrite(path, content);
    return true;
  }

  @Override
  public synchronized void overwrite(String path, byte[] content) throws IOException {
    String file = plain(path);
    Node old = nodes.get(file);
    if (old != null && old.content == null) {
      throw new FileAlreadyExistsException(path, null, "is a directory");
    }
    makeDirectory(parent(file));
    nodes.put(file, new Node(content.clone(), ++clock));
  }

  @Override
  public synchronized void makeDirectory(String directory) throws IOException {
    for (String d = plain(directory); !d.isEmpty(); d = parent(d)) {
      Node old = nodes.putIfAbsent(d, new Node(null, ++clock));
      if (old != null && old.content != null) {
        throw new FileAlreadyExistsException(d, null, "is a file");
      }
    }
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    String source = plain(from);
    String target = plain(to);
    if (!exists(source)) {
      throw new FileNotFoundException(from);
    }
    if (exists(target)) {
      throw new FileAlreadyExistsException(to);
    }
    makeDirectory(parent(target));
    nodes.put(target, nodes.remove(source));
    NavigableMap<String, Node> inside = below(source + "/");
    inside.forEach((path, node) -> nodes.put(target + path.substring(source.length()), node));
    inside.keySet().forEach(nodes::remove);
  }

  @Override
  public synchronized boolean delete(String path) throws IOException {
    Node node = nodes.get(plain(path));
    if (node != null && node.content == null) {
      throw new IOException(path + " is a directory");
    }
    return nodes.remove(plain(path)) != null;
  }

  @Override
  public synchronized boolean deleteDirectory(String directory) {
    below(plain(directory) + "/").keySet().forEach(nodes::remove);
    return nodes.remove(plain(directory)) != null;
  }

  @Override
  public Configuration configuration() {
    return new Configuration(false);
  }

  private Node file(String path) throws FileNotFoundException {
    Node node = nodes.get(plain(path));
    if (node == null || node.content == null) {
      throw new FileNotFoundException(path);
    }
    return node;
  }

  /** A copy, so that what is found may be changed. '0' follows '/'. */
  private NavigableMap<String, Node> below(String prefix) {
    String end = prefix.substring(0, prefix.length() - 1) + '0';
    return new TreeMap<>(nodes.subMap(prefix, false, end, false));
  }

  private static String plain(String path) {
    String plain = path.startsWith("file:") ? path.substring(5).replaceFirst("^/+", "/") : path;
    return plain.endsWith("/") ? plain.substring(0, plain.length() - 1) : plain;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static final class MemoryInput implements SeekableInput {
    private final byte[] content;
    private int position;

    MemoryInput(byte[] content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void seek(long offset) throws IOException {
      if (offset < 0 || offset > content.length) {
        throw new EOFException("byte %d of %d".formatted(offset, content.length));
      }
      position = (int) offset;
    }

    @Override
    public int read(byte[] target, int at, int length) {
      if (position == content.length) {
        return -1;
      }
      int read = Math.min(length, content.length - position);
      System.arraycopy(content, position, target, at, read);
      position += read;
      return read;
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      if (length > content.length - position) {
        throw new EOFException("%d bytes from byte %d on".formatted(length, position));
      }
      read(target, at, length);
    }

    @Override
    public void close() {}
  }
}
