package io.obelus.core.table.manifest;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads and writes manifest lists, manifests and index manifests of one table (spec chapter 04).
 * Thread-safe.
 */
public record Manifests(Storage storage, TableDirectory directory) implements Serializable {

  /** The manifests of a list, in order. */
  public List<ManifestFile> readList(String name) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Hands over the entries of a manifest, in order; those whose bucket is not wanted are skipped
   * before decoding.
   */
  public void read(
      ManifestFile manifest,
      Predicate<io.obelus.core.bucket.BucketId> wanted,
      Consumer<ManifestEntry> entries)
      throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** The entries of an index manifest. */
  public List<IndexEntry> readIndex(String name) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }
}
