package io.obelus.core.table.scan;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the indexes of data files which of their rows a scan's condition leaves. Indexes know
 * struck-out rows too. Not thread-safe.
 */
final class IndexLookup {

  private final Table table;
  private final Predicate condition;
  private final Predicate required;
  private final boolean enabled;
  private final Map<Long, InFile> bySchema = new HashMap<>();
  private long answersNotUsed;

  /**
   * The condition in the terms of files of one schema.
   *
   * @param required null if it cannot be said in these terms
   */
  private record InFile(RowType columns, Predicate condition, Predicate required) {}

  /**
   * What one part of the condition left.
   *
   * @param kind of the index that answered it; null if several kinds did, or none
   */
  record Step(String kind, Candidates left) {}

  /**
   * Says which rows of a file are left.
   *
   * @param isFiltered whether {@link ScanFilter#required} is true of all of them
   * @param asksRows whether a look at the condition's columns may leave fewer
   * @param steps how they were narrowed down; what follows the last of them leaves no other rows
   */
  record Found(Candidates candidates, boolean isFiltered, boolean asksRows, List<Step> steps) {

    Found(Candidates candidates, boolean isFiltered, List<Step> steps) {
      this(candidates, isFiltered, !(isFiltered && candidates.isExact()), steps);
    }
  }

  IndexLookup(Table table, ScanFilter filter) {
    this.table = table;
    this.condition = ScanCondition.inFiles(table, filter.condition());
    this.required = filter.required();
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
    try (FileIndex index = embedded(file, inFile.columns())) {
      return index.evaluate(inFile.condition());
    }
  }

  /** What all indexes of the file can tell. */
  Found inFile(DataFile file, String bucketDirectory) throws IOException {
    boolean asked = !inFile(file).condition().equals(Predicate.ALWAYS);
    try (FileIndex index = asked ? open(file, bucketDirectory) : null) {
      return found(index, file);
    }
  }

  /**
   * What the indexes of a file can tell.
   *
   * @param index from {@link #open}
   */
  Found found(FileIndex index, DataFile file) throws IOException {
    InFile inFile = inFile(file);
    if (index == null || inFile.condition().equals(Predicate.ALWAYS)) {
      return new Found(Candidates.any(), required.equals(Predicate.ALWAYS), List.of());
    }
    List<Step> steps = new ArrayList<>();
    Candidates found =
        index.evaluate(inFile.condition(), (kind, left) -> steps.add(new Step(kind, left)));
    if (found.isNone() || required.equals(Predicate.ALWAYS)) {
      return new Found(found, true, steps);
    }
    Candidates certain = ofRequired(index, inFile, found);
    return certain.isExact()
        ? new Found(found.and(certain), true, steps)
        : new Found(found, false, steps);
  }

  /** Files so far whose indexes left so many rows that leaving the others out would not pay. */
  long answersNotUsed() {
    return answersNotUsed;
  }

  /** What is found, or that any row may match where leaving out the others would not pay. */
  Found ifItPays(Found found, DataFile file) {
    if (found.candidates().isAny()
        || !required.equals(Predicate.ALWAYS) // which relies on what was found
        || DataFiles.pays(RowSelection.all(file.rowCount()).and(found.candidates()))) {
      return found;
    }
    answersNotUsed++;
    // So many rows match that reading the condition's columns first would not pay either.
    return new Found(Candidates.any(), true, false, List.of());
  }

  /**
   * Rows of which the required part of the condition may be true.
   *
   * @param found those of the whole condition
   */
  private static Candidates ofRequired(FileIndex index, InFile inFile, Candidates found)
      throws IOException {
    if (inFile.required() == null) {
      return Candidates.any();
    }
    return inFile.required().equals(inFile.condition()) ? found : index.evaluate(inFile.required());
  }

  /** The indexes of a file; null if it has none or they are not to be read. */
  FileIndex open(DataFile file, String bucketDirectory) throws IOException {
    if (!enabled) {
      return null;
    }
    RowType columns = inFile(file).columns();
    String path = indexFile(file, bucketDirectory);
    if (path != null) {
      return FileIndex.open(table.storage(), path, columns, file.rowCount());
    }
    return file.embeddedIndex() == null ? null : embedded(file, columns);
  }

  private static FileIndex embedded(DataFile file, RowType columns) throws IOException {
    return FileIndex.embedded(file.embeddedIndex().bytes(), file.name(), columns, file.rowCount());
  }

  private InFile inFile(DataFile file) {
    return bySchema.computeIfAbsent(
        file.schemaId(),
        id -> {
          RowType columns = table.fileSchemas().rowType(id);
          return new InFile(
              columns,
              Predicates.inFile(columns, condition),
              Predicates.isSameInFile(columns, required)
                  ? Predicates.inFile(columns, required)
                  : null);
        });
  }

  /** Null if there is none. */
  private static String indexFile(DataFile file, String bucketDirectory) {
    List<String> names = FileIndex.namesAmong(file.extraFiles());
    if (names.size() > 1) {
      throw new CorruptFileException(
          Place.startOf(file.path(bucketDirectory)),
          "the manifest should name one index file of it but names " + names);
    }
    return names.isEmpty() ? null : file.companion(bucketDirectory, names.get(0));
  }
}
