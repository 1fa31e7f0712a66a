package io.obelus.core.io;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Every file system but the local disk, through Hadoop. */
final class RemoteStorage implements Storage {

  private static final long serialVersionUID = 1;

  /** Where a rename is atomic and refuses an existing target. Object stores copy instead. */
  private static final Set<String> EXCLUSIVE_RENAME = Set.of("hdfs", "viewfs");

  private final transient Configuration configuration; // HadoopStorage makes this class anew

  RemoteStorage(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Configuration configuration() {
    return configuration;
  }

  private FileSystem files(Path path) throws IOException {
    return path.getFileSystem(configuration);
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    Path file = new Path(path);
    FileSystem files = files(file);
    long size = files.getFileStatus(file).getLen();
    return new StreamInput(files.open(file), size);
  }

  @Override
  public long size(String path) throws IOException {
    Path file = new Path(path);
    return files(file).getFileStatus(file).getLen();
  }

  @Override
  public boolean exists(String path) throws IOException {
    Path file = new Path(path);
    return files(file).exists(file);
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    Path parent = new Path(directory);
    List<Entry> entries = new ArrayList<>();
    try {
      for (FileStatus found : files(parent).listStatus(parent)) {
        entries.add(
            new Entry(
                found.getPath().getName(),
                found.isDirectory(),
                found.getLen(),
                found.getModificationTime()));
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return entries;
  }

  @Override
  public OutputStream create(String path) throws IOException {
    Path file = new Path(path);
    return files(file).create(file, false);
  }

  @Override
  public boolean createIfAbsent(String path, byte[] content) throws IOException {
    Path file = new Path(path);
    FileSystem files = files(file);
    if (!EXCLUSIVE_RENAME.contains(files.getScheme())) {
      throw new UnsupportedOperationException(
          ("%s: Hadoop offers no way to create a file on '%s' that is complete at once and refused"
                  + " when the name is taken, so two commits could overwrite each other. Write"
                  + " tables on file: or hdfs:; reading works from '%s' too.")
              .formatted(path, files.getScheme(), files.getScheme()));
    }
    if (files.exists(file)) {
      return false;
    }
    Path finished =
        new Path(file.getParent(), "." + file.getName() + "." + UUID.randomUUID() + ".tmp");
    try {
      write(files, finished, content, false);
      FileContext.getFileContext(files.getUri(), configuration).rename(finished, file);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      files.delete(finished, false);
    }
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    Path file = new Path(path);
    write(files(file), file, content, true);
  }

  private static void write(FileSystem files, Path file, byte[] content, boolean overwrite)
      throws IOException {
    try (OutputStream out = files.create(file, overwrite)) {
      out.write(content);
    }
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    Path path = new Path(directory);
    if (!files(path).mkdirs(path)) {
      throw new IOException("cannot make directory " + directory);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Path source = new Path(from);
    Path target = new Path(to);
    FileSystem files = files(source);
    files.getFileStatus(source); // a FileNotFoundException, where rename would only say false
    if (files.exists(target)) { // else HDFS moves the source into a directory of that name
      throw new FileAlreadyExistsException(to + " exists already");
    }
    makeDirectory(target.getParent().toString());
    if (!files.rename(source, target)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  @Override
  public boolean delete(String path) throws IOException {
    Path file = new Path(path);
    return files(file).delete(file, false);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    Path path = new Path(directory);
    return files(path).delete(path, true);
  }

  /** A stream of Hadoop's with the size of its file. */
  private static final class StreamInput implements SeekableInput {
    private final FSDataInputStream stream;
    private final long size;

    StreamInput(FSDataInputStream stream, long size) {
      this.stream = stream;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long position() throws IOException {
      return stream.getPos();
    }

    @Override
    public void seek(long offset) throws IOException {
      SeekBounds.check(offset, size);
      stream.seek(offset);
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      return stream.read(target, at, length);
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      long from = stream.getPos();
      try {
        stream.readFully(target, at, length);
      } catch (EOFException e) {
        throw SeekBounds.tooShort(from, length, size);
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
