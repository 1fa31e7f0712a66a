package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads the manifest lists, manifests and index manifests of one table (spec chapter 04); {@link
 * ManifestWriter} writes them. Thread-safe.
 *
 * <p>Damage is a {@link CorruptFileException} that names the file, a version we do not know an
 * {@link io.obelus.core.io.UnknownVersionException}.
 */
public record Manifests(Storage storage, TableDirectory directory) implements Serializable {

  /** The manifests of a list, in order. */
  public List<ManifestFile> readList(String name) throws IOException {
    return readList(name, null);
  }

  /**
   * As above.
   *
   * @param size bytes that the file must have; null if unknown
   */
  public List<ManifestFile> readList(String name, Long size) throws IOException {
    String path = directory.manifest(name);
    return ManifestListFormat.read(path, content(path, size));
  }

  /**
   * Hands over the entries of a manifest, in order; those whose bucket is not wanted are skipped
   * before decoding.
   */
  public void read(
      ManifestFile manifest, Predicate<BucketId> wanted, Consumer<ManifestEntry> entries)
      throws IOException {
    String path = directory.manifest(manifest.name());
    ManifestFormat.read(path, content(path, manifest.size()), wanted, entries);
  }

  /** The entries of an index manifest. */
  public List<IndexEntry> readIndex(String name) throws IOException {
    String path = directory.manifest(name);
    return IndexManifestFormat.read(path, content(path, null));
  }

  private byte[] content(String path, Long size) throws IOException {
    byte[] content = storage.read(path);
    if (size != null && content.length != size) {
      throw new CorruptFileException(Place.startOf(path), "size", size, content.length);
    }
    return content;
  }
}
