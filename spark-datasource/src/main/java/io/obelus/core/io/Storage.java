package io.obelus.core.io;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Where the files of tables are kept. All that Obelus reads or writes goes through here, so that a
 * test can count and break each step.
 *
 * <p>Paths are absolute: a URI such as {@code file:/lake/db.db/t} or a plain absolute path. A
 * missing file is reported as {@link java.io.FileNotFoundException}. Implementations are
 * thread-safe and serializable.
 */
public interface Storage extends Serializable {

  /**
   * A file or directory found by {@link #list}: its name without directory, size in bytes,
   * modification time.
   */
  record Entry(String name, boolean isDirectory, long size, long modifiedMillis) {}

  /** Opens a file for reading at any place. */
  SeekableInput open(String path) throws IOException;

  /** Size of a file in bytes. */
  long size(String path) throws IOException;

  /** Whether a file or directory of this name exists. */
  boolean exists(String path) throws IOException;

  /**
   * What stands directly in a directory, in no particular order; nothing if the directory does not
   * exist.
   */
  List<Entry> list(String directory) throws IOException;

  /**
   * Starts a new file, making its parent directories; complete once the stream is closed. Fails if
   * the file exists: names of data and metadata files are never used twice.
   */
  OutputStream create(String path) throws IOException;

  /**
   * Publishes a file with exactly this content, unless a file of this name exists. Atomic among all
   * processes: of several callers one gets true, and nobody ever sees a part of the content. This
   * is what claims a snapshot.
   *
   * @return false if the file existed already; it is then left as it was
   * @throws UnsupportedOperationException if the file system has no such primitive; the message
   *     names it
   */
  boolean createIfAbsent(String path, byte[] content) throws IOException;

  /**
   * Replaces or makes a file; a reader may see the old or the new content. For hints, which may be
   * wrong anyway.
   */
  void overwrite(String path, byte[] content) throws IOException;

  /** Makes a directory and its parents; nothing happens if it exists. */
  void makeDirectory(String directory) throws IOException;

  /** Moves a file or directory; fails if the target exists. */
  void rename(String from, String to) throws IOException;

  /** Deletes one file; false if there was none. */
  boolean delete(String path) throws IOException;

  /** Deletes a directory with all that is in it; false if there was none. */
  boolean deleteDirectory(String directory) throws IOException;

  /** The Hadoop configuration with which data files are opened by Spark's Parquet reader. */
  Configuration configuration();

  /** Where readers of this storage remember how files begin or end that never change. */
  default PartCache parts() {
    return PartCache.NONE;
  }

  /** Reads a whole file. */
  default byte[] read(String path) throws IOException {
    try (SeekableInput in = open(path)) {
      byte[] content = new byte[Math.toIntExact(in.size())];
      in.readFully(content, 0, content.length);
      return content;
    }
  }

  /**
   * Reads the bytes {@code [from, from + length)} of a file; {@link java.io.EOFException} if it is
   * shorter.
   */
  default byte[] read(String path, long from, int length) throws IOException {
    try (SeekableInput in = open(path)) {
      in.seek(from);
      byte[] content = new byte[length];
      in.readFully(content, 0, length);
      return content;
    }
  }
}
