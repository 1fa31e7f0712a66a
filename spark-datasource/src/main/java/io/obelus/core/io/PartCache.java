package io.obelus.core.io;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the part of a file by which every reader begins, such as the footer of a data file, for
 * the next one who opens that file. All tasks of a JVM share one cache. What was used longest ago
 * goes first when the bytes become too many. Thread-safe.
 *
 * <p>Only for files that never change once they are there, whose names are never used again, and
 * only for bytes as they stand in the file that were found to be sound.
 */
public final class PartCache {

  /** Remembers nothing. */
  public static final PartCache NONE = new PartCache();

  private static final PartCache OF_JVM = new PartCache();

  /** A part of more than one in so many of all bytes is not remembered: it would push out many. */
  private static final int LARGE = 8;

  /** Objects around a part: key, text, array and entry take about so many bytes. */
  private static final long OVERHEAD = 200;

  /** A file by its absolute path; a size that has changed is not the same file. */
  private record Key(String path, long fileSize) {}

  private final Map<Key, byte[]> parts = new LinkedHashMap<>(16, 0.75f, true);
  private long limit;
  private long bytes;

  private PartCache() {}

  /**
   * The cache of this JVM.
   *
   * @param limit most bytes it may take from now on; who gives 0 gets {@link #NONE}, and others
   *     keep theirs
   */
  public static PartCache ofJvm(long limit) {
    if (limit == 0) {
      return NONE;
    }
    OF_JVM.limitTo(limit);
    return OF_JVM;
  }

  /** A cache of its own. */
  static PartCache of(long limit) {
    PartCache cache = new PartCache();
    cache.limitTo(limit);
    return cache;
  }

  /** The part of a file, not to be changed; null if it is not remembered. */
  public synchronized byte[] get(String path, long fileSize) {
    return parts.get(new Key(path, fileSize));
  }

  /** Remembers the part of a file, if there is room for it; it must not change afterwards. */
  public synchronized void put(String path, long fileSize, byte[] part) {
    Key key = new Key(path, fileSize);
    long weight = weight(key, part);
    if (weight > limit / LARGE) {
      return;
    }
    byte[] before = parts.put(key, part);
    bytes += weight - (before == null ? 0 : weight(key, before));
    shrink();
  }

  /** Bytes that it takes, about. */
  synchronized long bytes() {
    return bytes;
  }

  private synchronized void limitTo(long most) {
    limit = most;
    shrink();
  }

  private void shrink() {
    Iterator<Map.Entry<Key, byte[]>> oldest = parts.entrySet().iterator();
    while (bytes > limit) {
      Map.Entry<Key, byte[]> gone = oldest.next();
      bytes -= weight(gone.getKey(), gone.getValue());
      oldest.remove();
    }
  }

  private static long weight(Key key, byte[] part) {
    return OVERHEAD + Character.BYTES * (long) key.path.length() + part.length;
  }
}
