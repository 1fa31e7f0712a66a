package io.obelus.core.io;

import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * The local disk through java.nio: no process per call, no checksum files, and hard links, which
 * Hadoop's local file system does not offer.
 */
final class LocalStorage implements Storage {

  private static final long serialVersionUID = 1;
  private static final int BUFFER = 1 << 16;

  private final transient Configuration configuration; // HadoopStorage makes this class anew

  LocalStorage(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Configuration configuration() {
    return configuration;
  }

  /** {@code file:/x}, {@code file:///x} and {@code /x} are the same file. */
  static Path path(String path) {
    String name = path.startsWith("file:") ? path.substring("file:".length()) : path;
    if (name.startsWith("//")) {
      int slash = name.indexOf('/', 2);
      String host = name.substring(2, Math.max(slash, 2));
      if (slash < 0 || !(host.isEmpty() || host.equals("localhost"))) {
        throw new IllegalArgumentException(
            "path " + path + " names host '" + host + "'; write file:/… for a local file");
      }
      name = name.substring(slash);
    }
    if (!name.startsWith("/")) {
      throw new IllegalArgumentException(
          "path " + path + " is not absolute; begin it with a slash");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          ("path %s is no file name here: %s. If it has letters beyond ASCII, start "
                  + "the JVM with a UTF-8 locale (LC_ALL=C.UTF-8).")
              .formatted(path, e.getReason()),
          e);
    }
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    try {
      return new ChannelInput(FileChannel.open(path(path), StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    }
  }

  @Override
  public byte[] read(String path) throws IOException {
    try {
      return Files.readAllBytes(path(path));
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    }
  }

  @Override
  public long size(String path) throws IOException {
    try {
      return Files.size(path(path));
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    }
  }

  private static FileNotFoundException missing(String path, NoSuchFileException cause) {
    FileNotFoundException missing = new FileNotFoundException(path + " does not exist");
    missing.initCause(cause);
    return missing;
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(path(path));
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path(directory))) {
      for (Path file : files) {
        try {
          BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
          entries.add(
              new Entry(
                  file.getFileName().toString(),
                  found.isDirectory(),
                  found.size(),
                  found.lastModifiedTime().toMillis()));
        } catch (NoSuchFileException e) {
          continue; // deleted by somebody since it was listed
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return entries;
  }

  @Override
  public OutputStream create(String path) throws IOException {
    Path file = path(path);
    makeDirectory(file.getParent());
    return new BufferedOutputStream(
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        BUFFER);
  }

  /** A link to a finished file: the one call of a local disk that publishes and never replaces. */
  @Override
  public boolean createIfAbsent(String path, byte[] content) throws IOException {
    Path file = path(path);
    if (Files.exists(file)) {
      return false;
    }
    makeDirectory(file.getParent());
    Path finished = temporary(file);
    try {
      writeThrough(finished, content);
      Files.createLink(file, finished);
      return true;
    } catch (FileAlreadyExistsException e) {
      return Files.isSameFile(file, finished); // NFS answers so when it repeats a call that worked
    } catch (UnsupportedOperationException e) {
      throw new UnsupportedOperationException(
          path
              + ": the file system of this directory has no hard links, so a commit cannot be"
              + " claimed safely. Keep the table on another one.",
          e);
    } finally {
      Files.deleteIfExists(finished);
    }
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    Path file = path(path);
    makeDirectory(file.getParent());
    Path finished = temporary(file);
    try {
      Files.write(finished, content, StandardOpenOption.CREATE_NEW);
      Files.move(finished, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(finished);
    }
  }

  /** The name that orphan cleaning knows (spec chapter 01). */
  private static Path temporary(Path file) {
    return file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
  }

  private static void writeThrough(Path file, byte[] content) throws IOException {
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    makeDirectory(path(directory));
  }

  private static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) { // createDirectories refuses a link to a directory
      Files.createDirectories(directory);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Path target = path(to);
    makeDirectory(target.getParent());
    try {
      Files.move(path(from), target);
    } catch (NoSuchFileException e) {
      throw missing(from, e);
    }
  }

  @Override
  public boolean delete(String path) throws IOException {
    return Files.deleteIfExists(path(path));
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    Path root = path(directory);
    if (!Files.exists(root)) {
      return false;
    }
    Files.walkFileTree(root, new Deleter());
    return true;
  }

  /** Deletes files, then their directories; links are deleted, not followed. */
  private static final class Deleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // somebody else deletes here too
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }

  /** An open channel; its size is taken once, since no file of a table grows after it is closed. */
  private static final class ChannelInput implements SeekableInput {

    /** A block of a disk. */
    private static final int BLOCK = 4 << 10;

    private final FileChannel channel;
    private final long size;

    ChannelInput(FileChannel channel) throws IOException {
      this.channel = channel;
      this.size = channel.size();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public int gap() {
      return BLOCK;
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public void seek(long offset) throws IOException {
      SeekBounds.check(offset, size);
      channel.position(offset);
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      return channel.read(ByteBuffer.wrap(target, at, length));
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      ByteBuffer left = ByteBuffer.wrap(target, at, length);
      while (left.hasRemaining()) {
        if (channel.read(left) < 0) {
          throw SeekBounds.tooShort(channel.position(), left.remaining(), size);
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
