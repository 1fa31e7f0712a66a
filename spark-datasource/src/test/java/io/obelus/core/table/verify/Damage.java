package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.ManifestWriter;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.testing.CoreTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Breaks tables on purpose: files byte by byte, and metadata by writing it anew with something
 * wrong in it. What a method changes is the newest snapshot alone; older ones stay as they are.
 */
final class Damage {

  private final Table table;

  Damage(CoreTable table) {
    this.table = table.table();
  }

  /** The only file of a directory below the table's whose name begins and ends so. */
  Path file(String directory, String prefix, String suffix) {
    try (Stream<Path> files = Files.list(Path.of(table.directory().root(), directory))) {
      List<Path> found =
          files
              .filter(
                  file ->
                      file.getFileName().toString().startsWith(prefix)
                          && file.getFileName().toString().endsWith(suffix))
              .toList();
      if (found.size() != 1) {
        throw new IllegalStateException("one " + prefix + " was expected, found " + found);
      }
      return found.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes the bytes of a file. */
  static void bytes(Path file, UnaryOperator<byte[]> change) throws IOException {
    byte[] changed = change.apply(Files.readAllBytes(file));
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    Files.write(file, changed);
  }

  Snapshot newest() throws IOException {
    return table.snapshots().latest().orElseThrow();
  }

  /** The live entries of the newest snapshot. */
  List<ManifestEntry> entries() throws IOException {
    return new LiveFiles(table, newest()).entries(bucket -> true);
  }

  List<IndexEntry> index() throws IOException {
    return new LiveFiles(table, newest()).indexEntries();
  }

  /** Gives the newest snapshot other live files: the rest of its metadata fits them. */
  void entries(UnaryOperator<List<ManifestEntry>> change) throws IOException {
    List<ManifestEntry> changed = change.apply(new ArrayList<>(entries()));
    lists(files -> files, changed);
  }

  /** As the other form, for one file of which something is said that is not so. */
  void file(String name, UnaryOperator<DataFile> change) throws IOException {
    entries(
        all ->
            all.stream()
                .map(
                    e ->
                        e.file().name().equals(name)
                            ? new ManifestEntry(
                                e.kind(), e.bucket(), e.totalBuckets(), change.apply(e.file()))
                            : e)
                .toList());
  }

  /** Gives the newest snapshot another base list, of a manifest with these entries. */
  void lists(UnaryOperator<List<ManifestFile>> change, List<ManifestEntry> entries)
      throws IOException {
    ManifestWriter writer = writer();
    ManifestWriter.ManifestList base = writer.writeList(change.apply(writer.write(entries)));
    ManifestWriter.ManifestList delta = writer.writeList(List.of());
    long rows =
        entries.stream()
            .mapToLong(
                e ->
                    e.kind() == ManifestEntry.Kind.ADD ? e.file().rowCount() : -e.file().rowCount())
            .sum();
    Snapshot old = newest();
    replace(
        new Snapshot(
            old.version(),
            old.id(),
            old.schemaId(),
            base.name(),
            base.size(),
            delta.name(),
            delta.size(),
            null,
            null,
            old.indexManifest(),
            old.commitUser(),
            old.commitIdentifier(),
            old.kind(),
            old.timeMillis(),
            rows,
            0L,
            0L,
            null,
            null,
            null,
            0L));
  }

  private ManifestWriter writer() {
    return new ManifestWriter(new Manifests(table.storage(), table.directory()), table.schema());
  }

  /** Gives the newest snapshot another index manifest. */
  void index(UnaryOperator<List<IndexEntry>> change) throws IOException {
    String name = writer().writeIndex(change.apply(new ArrayList<>(index())));
    snapshot(old -> name, old -> old.totalRecordCount());
  }

  /** Gives the newest snapshot another total row count. */
  void totalRecordCount(long count) throws IOException {
    snapshot(Snapshot::indexManifest, old -> count);
  }

  private interface Part<T> {
    T of(Snapshot old);
  }

  private void snapshot(Part<String> index, Part<Long> total) throws IOException {
    Snapshot old = newest();
    replace(
        new Snapshot(
            old.version(),
            old.id(),
            old.schemaId(),
            old.baseManifestList(),
            old.baseManifestListSize(),
            old.deltaManifestList(),
            old.deltaManifestListSize(),
            old.changelogManifestList(),
            old.changelogManifestListSize(),
            index.of(old),
            old.commitUser(),
            old.commitIdentifier(),
            old.kind(),
            old.timeMillis(),
            total.of(old),
            old.deltaRecordCount(),
            old.changelogRecordCount(),
            old.watermark(),
            old.statistics(),
            old.properties(),
            old.nextRowId()));
  }

  private void replace(Snapshot snapshot) throws IOException {
    table.snapshots().delete(snapshot.id());
    table.snapshots().create(snapshot);
  }

  /** Takes a data file over from another table of the same columns, as it is. */
  void take(CoreTable from, BucketId into, int totalBuckets, int level, Object min, Object max)
      throws IOException {
    DataFile file = from.files().get(0);
    Places places = Places.of(table);
    Path target = Path.of(places.directory(into)).resolve(file.name());
    Files.createDirectories(target.getParent());
    Path source;
    try (Stream<Path> all = Files.walk(Path.of(from.table().directory().root()))) {
      source =
          all.filter(path -> path.getFileName().toString().equals(file.name()))
              .findFirst()
              .orElseThrow();
    }
    Files.copy(source, target);
    DataFile taken =
        new Edit(file)
            .with(
                edit -> {
                  edit.minKey = key(min);
                  edit.maxKey = key(max);
                  edit.keyStats = ColumnStats.NONE;
                  edit.level = level;
                });
    entries(
        all -> {
          all.add(new ManifestEntry(ManifestEntry.Kind.ADD, into, totalBuckets, taken));
          return all;
        });
  }

  RowBytes key(Object value) {
    RowType key = table.schema().keyType();
    return new RowBytes(new BinaryRows(key).write(new GenericInternalRow(new Object[] {value})));
  }

  /** A data file's metadata, to be changed. */
  static final class Edit {
    private final DataFile file;
    long size;
    long rowCount;
    RowBytes minKey;
    RowBytes maxKey;
    ColumnStats keyStats;
    ColumnStats valueStats;
    long minSequence;
    int level;
    List<String> extraFiles;
    Long deleteRowCount;
    RowBytes embeddedIndex;

    Edit(DataFile file) {
      this.file = file;
      size = file.size();
      rowCount = file.rowCount();
      minKey = file.minKey();
      maxKey = file.maxKey();
      keyStats = file.keyStats();
      valueStats = file.valueStats();
      minSequence = file.minSequence();
      level = file.level();
      extraFiles = file.extraFiles();
      deleteRowCount = file.deleteRowCount();
      embeddedIndex = file.embeddedIndex();
    }

    DataFile with(Consumer<Edit> change) {
      change.accept(this);
      return new DataFile(
          file.name(),
          size,
          rowCount,
          minKey,
          maxKey,
          keyStats,
          valueStats,
          minSequence,
          file.maxSequence(),
          file.schemaId(),
          level,
          extraFiles,
          file.creationTime(),
          deleteRowCount,
          embeddedIndex,
          file.source(),
          file.valueStatsColumns(),
          file.externalPath(),
          file.firstRowId(),
          file.writeColumns());
    }
  }
}
