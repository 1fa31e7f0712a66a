package io.obelus.core.io;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The file systems that Hadoop knows. Paths with scheme {@code file} go straight to the local disk;
 * a path without a scheme is on {@code fs.defaultFS}. Names are taken as they are: {@code %2F} in a
 * path is three characters, as in Hadoop's own {@code Path.toString()}.
 *
 * <p>Thread-safe. Travels by Java's serialization and by Kryo's: its only state is a byte array.
 */
public final class HadoopStorage implements Storage {

  private static final long serialVersionUID = 1;

  /** All entries of the configuration, deflated: a bare one has 1500 and would travel as 100 kB. */
  private final byte[] entries;

  /**
   * What was unpacked in this process, so that not every task does it again (3 % of a short scan).
   * A process sees few configurations: one a session, and one for each other catalog.
   */
  private static final Map<ByteBuffer, Configuration> UNPACKED = new ConcurrentHashMap<>();

  private static final int MOST_UNPACKED = 64;

  private transient volatile Configuration configuration;

  /**
   * @param configuration copied; later changes of it are not seen
   */
  public HadoopStorage(Configuration configuration) {
    this.entries = pack(configuration);
  }

  /** Shared by all callers and not to be changed by them. */
  @Override
  public Configuration configuration() {
    Configuration known = configuration;
    if (known == null) {
      if (UNPACKED.size() >= MOST_UNPACKED) {
        UNPACKED.clear();
      }
      known = UNPACKED.computeIfAbsent(ByteBuffer.wrap(entries), HadoopStorage::unpacked);
      configuration = known;
    }
    return known;
  }

  private static byte[] pack(Configuration configuration) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(packed))) {
      configuration.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static Configuration unpacked(ByteBuffer packed) {
    return unpack(packed.array());
  }

  private static Configuration unpack(byte[] packed) {
    Configuration configuration = new Configuration(false);
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(packed)))) {
      configuration.readFields(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return configuration;
  }

  private Storage at(String path) {
    boolean local =
        path.startsWith("file:")
            || (path.startsWith("/")
                && "file".equals(FileSystem.getDefaultUri(configuration()).getScheme()));
    return local ? new LocalStorage(configuration()) : new RemoteStorage(configuration());
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    return at(path).open(path);
  }

  @Override
  public long size(String path) throws IOException {
    return at(path).size(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return at(path).exists(path);
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    return at(directory).list(directory);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return at(path).create(path);
  }

  @Override
  public boolean createIfAbsent(String path, byte[] content) throws IOException {
    return at(path).createIfAbsent(path, content);
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    at(path).overwrite(path, content);
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    at(directory).makeDirectory(directory);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    at(from).rename(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return at(path).delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return at(directory).deleteDirectory(directory);
  }
}
