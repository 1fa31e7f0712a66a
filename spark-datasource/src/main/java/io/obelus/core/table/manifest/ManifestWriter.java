package io.obelus.core.table.manifest;

import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes the manifests, manifest lists and index manifests of one committer (spec chapter 04).
 * Their names hold a UUID of this object and a count from 0 for each of the three kinds. Nothing
 * refers to what is written here until a snapshot does. Not thread-safe.
 */
public final class ManifestWriter {

  /** Between two looks at the size of a manifest, as other writers do. */
  private static final int ENTRIES_BETWEEN_CHECKS = 1000;

  private final Manifests manifests;
  private final PartitionStats partitions;
  private final Settings settings;
  private final String uuid = UUID.randomUUID().toString();
  private final List<String> written = new ArrayList<>();
  private int manifestCount;
  private int listCount;
  private int indexCount;

  /**
   * How manifests are cut and merged.
   *
   * @param targetSize bytes at which the next manifest begins
   * @param mergeMinCount so many small manifests at the end of the list are merged
   * @param fullCompactionThreshold bytes of manifests that are small or hold deletes from which on
   *     they are all rewritten
   */
  public record Settings(long targetSize, int mergeMinCount, long fullCompactionThreshold) {
    public static Settings of(TableOptions options) {
      return new Settings(
          options.manifestTargetSize(),
          options.manifestMergeMinCount(),
          options.manifestFullCompactionThreshold());
    }
  }

  /** A manifest list that was written: its name and its size in bytes. */
  public record ManifestList(String name, long size) {}

  public ManifestWriter(Manifests manifests, TableSchema schema) {
    this(manifests, schema.partitionType(), Settings.of(new TableOptions(schema)));
  }

  /**
   * @param partitionType row type of the partition values
   */
  public ManifestWriter(Manifests manifests, RowType partitionType, Settings settings) {
    this.manifests = manifests;
    this.partitions = new PartitionStats(partitionType);
    this.settings = settings;
  }

  /** Writes entries in order, into as many manifests as they need: none for no entry. */
  public List<ManifestFile> write(Iterable<ManifestEntry> entries) throws IOException {
    Rolling out = rolling();
    for (ManifestEntry entry : entries) {
      out.add(entry);
    }
    return out.finish();
  }

  /** Writes a manifest list. */
  public ManifestList writeList(List<ManifestFile> files) throws IOException {
    String name = "manifest-list-" + uuid + "-" + listCount++;
    byte[] content = ManifestListFormat.write(files);
    create(name, content);
    return new ManifestList(name, content.length);
  }

  /** Writes an index manifest, the complete set, and gives its name. */
  public String writeIndex(List<IndexEntry> entries) throws IOException {
    String name = "index-manifest-" + uuid + "-" + indexCount++;
    create(name, IndexManifestFormat.write(entries));
    return name;
  }

  /**
   * The same state in fewer or cleaner manifests, as far as the settings find it worth while: those
   * that need nothing are taken over as they are.
   */
  public List<ManifestFile> merge(List<ManifestFile> files) throws IOException {
    return new ManifestMerge(manifests, partitions, settings, this).merge(files);
  }

  /**
   * Deletes all that was written so far, as well as it can: for a commit that is given up. What
   * stays behind is an orphan and harmless.
   */
  public void deleteWritten() {
    for (String name : written) {
      try {
        manifests.storage().delete(manifests.directory().manifest(name));
      } catch (IOException | RuntimeException e) {
        // An orphan stays; the reason why the commit was given up matters more.
      }
    }
    written.clear();
  }

  Rolling rolling() {
    return new Rolling();
  }

  private void create(String name, byte[] content) throws IOException {
    written.add(name); // before: a file that broke off is to be deleted as well
    try (OutputStream out = manifests.storage().create(manifests.directory().manifest(name))) {
      out.write(content);
    }
  }

  /** Entries on their way into manifests, one after another. */
  final class Rolling {
    private final List<ManifestFile> files = new ArrayList<>();
    private AvroContainer.Writer out;
    private Figures figures;

    void add(ManifestEntry entry) throws IOException {
      if (out == null) {
        out = new AvroContainer.Writer(ManifestFormat.KIND);
        figures = new Figures();
      }
      out.append(ManifestFormat.write(entry));
      figures.add(entry);
      if (out.count() % ENTRIES_BETWEEN_CHECKS == 0 && out.size() >= settings.targetSize()) {
        close();
      }
    }

    List<ManifestFile> finish() throws IOException {
      if (out != null) {
        close();
      }
      return files;
    }

    private void close() throws IOException {
      String name = "manifest-" + uuid + "-" + manifestCount++;
      byte[] content = out.finish();
      create(name, content);
      files.add(figures.file(name, content.length));
      out = null;
    }
  }

  /** What a manifest list says of a manifest. */
  private final class Figures {
    private final Map<RowBytes, Integer> entries = new HashMap<>();
    private long added;
    private long deleted;
    private long schemaId;
    private int minBucket = Integer.MAX_VALUE;
    private int maxBucket = Integer.MIN_VALUE;
    private int minLevel = Integer.MAX_VALUE;
    private int maxLevel = Integer.MIN_VALUE;

    void add(ManifestEntry entry) {
      entries.merge(entry.bucket().partition(), 1, Integer::sum);
      if (entry.kind() == ManifestEntry.Kind.ADD) {
        added++;
      } else {
        deleted++;
      }
      schemaId = Math.max(schemaId, entry.file().schemaId());
      minBucket = Math.min(minBucket, entry.bucket().bucket());
      maxBucket = Math.max(maxBucket, entry.bucket().bucket());
      minLevel = Math.min(minLevel, entry.file().level());
      maxLevel = Math.max(maxLevel, entry.file().level());
    }

    ManifestFile file(String name, long size) {
      return new ManifestFile(
          name,
          size,
          added,
          deleted,
          partitions.of(entries),
          schemaId,
          minBucket,
          maxBucket,
          minLevel,
          maxLevel);
    }
  }
}
