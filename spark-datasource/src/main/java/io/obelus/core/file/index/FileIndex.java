package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.PartCache;
import io.obelus.core.io.Place;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The indexes of one data file, open for questions (spec chapter 20). Only the bytes that an answer
 * needs are read. Not thread-safe.
 *
 * <p>Damage that is noticed is a {@link io.obelus.core.io.CorruptFileException}: nothing is
 * guessed.
 */
public final class FileIndex implements Closeable {

  private final Payload container;
  private final Closeable source;
  private final FileIndexFormat.Directory directory;
  private final RowType columns;
  private final long rowCount;
  private final Map<String, Map<IndexKind, IndexReader>> readers = new HashMap<>();

  /** The kinds that have told something since this was cleared last. */
  private final Set<String> told = new HashSet<>();

  private FileIndex(
      Payload container,
      FileIndexFormat.Directory directory,
      Closeable source,
      RowType columns,
      long rowCount) {
    this.container = container;
    this.source = source;
    this.columns = columns;
    this.rowCount = rowCount;
    this.directory = directory;
  }

  /**
   * One index in here, whether we can read its kind or not.
   *
   * @param column as the container calls it: {@code city}, or {@code props[colour]}
   * @param size bytes; 0 if the data file has no rows
   */
  public record Part(String column, String kind, int size) {}

  /** Hears how the rows are narrowed down. */
  @FunctionalInterface
  public interface Witness {

    /**
     * One part of a condition was asked for.
     *
     * @param kind of the index that answered; null if several kinds did, or none
     * @param left the rows that this part and those before it leave
     */
    void narrowed(String kind, Candidates left);
  }

  /** Those of a data file's companions that hold indexes: one at most, or the manifest is wrong. */
  public static List<String> namesAmong(List<String> extraFiles) {
    return extraFiles.stream().filter(name -> name.endsWith(FileIndexWriter.EXTENSION)).toList();
  }

  /**
   * Indexes that the manifest holds.
   *
   * @param dataFile name of the data file, for errors
   * @param columns of the schema that the data file was written with: the container goes by their
   *     names
   * @param rowCount rows of the data file
   */
  public static FileIndex embedded(byte[] content, String dataFile, RowType columns, long rowCount)
      throws IOException {
    Place place = Place.startOf("the embedded index of " + dataFile);
    Payload container = Payload.of(ByteBuffer.wrap(content), place);
    return new FileIndex(container, FileIndexFormat.read(container), () -> {}, columns, rowCount);
  }

  /**
   * Indexes in a file of their own, whose head the storage may remember; columns and rows as above.
   */
  public static FileIndex open(Storage storage, String path, RowType columns, long rowCount)
      throws IOException {
    FilePayload file = new FilePayload(path, storage.open(path));
    try {
      return new FileIndex(file, directory(file, path, storage.parts()), file, columns, rowCount);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static FileIndexFormat.Directory directory(FilePayload file, String path, PartCache heads)
      throws IOException {
    byte[] known = heads.get(path, file.length());
    if (known != null) {
      file.begin(known);
      return FileIndexFormat.read(file, known.length);
    }
    FileIndexFormat.Directory directory = FileIndexFormat.read(file);
    heads.put(path, file.length(), file.begin(directory.headLength()));
    return directory;
  }

  /**
   * The rows of which a condition may be true.
   *
   * @param condition in the terms of {@code columns}: see {@link Predicates#inFile}
   */
  public Candidates evaluate(Predicate condition) throws IOException {
    return evaluate(condition, false);
  }

  /** The same, and a witness hears of each part of an AND. */
  public Candidates evaluate(Predicate condition, Witness witness) throws IOException {
    if (!(condition instanceof Predicate.And and) || and.parts().isEmpty()) {
      return heard(condition, null, witness);
    }
    Candidates left = null;
    for (Predicate part : and.parts()) {
      left = heard(part, left, witness);
      if (left.isNone()) {
        break;
      }
    }
    return left;
  }

  /** The index of a kind on a column; empty if there is none that we can read. */
  public Optional<IndexReader> reader(String kind, Column column) throws IOException {
    Optional<IndexKind> known = IndexKinds.find(kind);
    return known.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(readers(column).get(known.get()));
  }

  /**
   * Asks for one part of an AND.
   *
   * @param before what the parts before it leave; null = it is the first
   */
  private Candidates heard(Predicate part, Candidates before, Witness witness) throws IOException {
    told.clear();
    Candidates one = evaluate(part);
    Candidates left = before == null ? one : before.and(one);
    witness.narrowed(told.size() == 1 ? told.iterator().next() : null, left);
    return left;
  }

  private Candidates evaluate(Predicate condition, boolean negated) throws IOException {
    if (condition instanceof Predicate.Constant constant) {
      return constant.value() == negated
          ? Candidates.none()
          : Candidates.exactly(Positions.range(0, rowCount));
    } else if (condition instanceof Predicate.Not not) {
      return evaluate(not.part(), !negated);
    } else if (condition instanceof Predicate.And and) {
      return negated ? any(and.parts(), true) : all(and.parts(), false);
    } else if (condition instanceof Predicate.Or or) {
      return negated ? all(or.parts(), true) : any(or.parts(), false);
    }
    return leaf(condition, negated);
  }

  private Candidates all(List<Predicate> parts, boolean negated) throws IOException {
    Candidates left = null;
    for (Predicate part : parts) {
      Candidates one = evaluate(part, negated);
      left = left == null ? one : left.and(one);
      if (left.isNone()) {
        break;
      }
    }
    return left == null ? Candidates.exactly(Positions.range(0, rowCount)) : left;
  }

  private Candidates any(List<Predicate> parts, boolean negated) throws IOException {
    Candidates either = Candidates.none();
    for (Predicate part : parts) {
      either = either.or(evaluate(part, negated));
      if (either.isAny()) {
        break;
      }
    }
    return either;
  }

  /** All indexes of the column are asked, until one is certain. */
  private Candidates leaf(Predicate leaf, boolean negated) throws IOException {
    Candidates left = Candidates.any();
    for (Map.Entry<IndexKind, IndexReader> index : readers(Predicates.column(leaf)).entrySet()) {
      Candidates one = index.getValue().evaluate(leaf, negated);
      if (!one.isAny()) {
        told.add(index.getKey().name());
      }
      if (one.isExact()) {
        return one;
      }
      left = left.and(one);
    }
    return left;
  }

  private Map<IndexKind, IndexReader> readers(Column column) throws IOException {
    Map<IndexKind, IndexReader> known = readers.get(column.name());
    if (known == null) {
      known = openReaders(column);
      readers.put(column.name(), known);
    }
    return known;
  }

  /** In the order of {@link IndexKinds#all}; kinds that we do not know tell nothing. */
  private Map<IndexKind, IndexReader> openReaders(Column column) throws IOException {
    Map<IndexKind, IndexReader> opened = new LinkedHashMap<>();
    int index = columns.indexOf(column.name());
    for (IndexKind kind : IndexKinds.all()) {
      for (FileIndexFormat.Slot slot : directory.of(column.name())) {
        ColumnType type = index < 0 ? null : columns.column(index).type();
        if (type != null
            && slot.kind().equals(kind.name())
            && !slot.isAbsent()
            && kind.supports(type)) {
          opened.put(kind, kind.reader(type, directory.payload(slot), rowCount));
        }
      }
    }
    return opened;
  }

  /** All indexes in here, in the order of the container. */
  public List<Part> parts() {
    return directory.slots().stream()
        .map(slot -> new Part(slot.column(), slot.kind(), slot.length()))
        .toList();
  }

  /** Bytes of the container, all of it. */
  public long size() {
    return container.length();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
