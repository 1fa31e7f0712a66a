package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the indexes of data files which of their rows a scan's condition leaves. Indexes know
 * struck-out rows too. Not thread-safe.
 */
final class IndexLookup {

  private static final String EXTENSION = ".index";

  private final Table table;
  private final Predicate condition;
  private final boolean isWhole; // nothing of the condition is left out
  private final boolean enabled;
  private final Map<Long, InFile> bySchema = new HashMap<>();

  /**
   * The condition in the terms of files of one schema.
   *
   * @param exact whether it says just what the scan's condition says of the rows
   */
  private record InFile(RowType columns, Predicate condition, boolean exact) {}

  IndexLookup(Table table, Predicate condition) {
    this.table = table;
    this.condition = ScanCondition.inFiles(table, condition);
    this.isWhole = Predicates.columns(this.condition).equals(Predicates.columns(condition));
    this.enabled = table.options().readsFileIndexes();
  }

  /** What the manifest alone can tell: the small indexes that it holds itself. */
  Candidates inManifest(DataFile file) throws IOException {
    if (!enabled || file.embeddedIndex() == null) {
      return Candidates.any();
    }
    InFile inFile = inFile(file);
    if (inFile.condition().equals(Predicate.ALWAYS)) {
      return Candidates.any();
    }
    try (FileIndex index =
        FileIndex.embedded(
            file.embeddedIndex().bytes(), file.name(), inFile.columns(), file.rowCount())) {
      return candidates(index, inFile);
    }
  }

  /** As above, reading the index file too if there is one. */
  Candidates inFile(DataFile file, String bucketDirectory) throws IOException {
    String path = indexFile(file, bucketDirectory);
    if (!enabled || path == null) {
      return inManifest(file);
    }
    InFile inFile = inFile(file);
    if (inFile.condition().equals(Predicate.ALWAYS)) {
      return Candidates.any();
    }
    try (FileIndex index =
        FileIndex.open(table.storage(), path, inFile.columns(), file.rowCount())) {
      return candidates(index, inFile);
    }
  }

  private static Candidates candidates(FileIndex index, InFile inFile) throws IOException {
    Candidates found = index.evaluate(inFile.condition());
    return found.isAny() || inFile.exact() ? found : Candidates.atMost(found.positions());
  }

  private InFile inFile(DataFile file) {
    return bySchema.computeIfAbsent(
        file.schemaId(),
        id -> {
          RowType columns = table.fileSchemas().rowType(id);
          return new InFile(
              columns,
              Predicates.inFile(columns, condition),
              isWhole && Predicates.isSameInFile(columns, condition));
        });
  }

  /** Null if there is none. */
  private static String indexFile(DataFile file, String bucketDirectory) {
    List<String> names =
        file.extraFiles().stream().filter(name -> name.endsWith(EXTENSION)).toList();
    if (names.size() > 1) {
      throw new CorruptFileException(
          Place.startOf(file.path(bucketDirectory)),
          "the manifest should name one index file of it but names " + names);
    }
    return names.isEmpty() ? null : file.companion(bucketDirectory, names.get(0));
  }
}
