package io.obelus.core.file.index.kind;

import io.obelus.core.row.ColumnType;
import java.io.IOException;

/** One kind of file index. Thread-safe and without state. */
public interface IndexKind {

  /** As options and containers call it, such as {@code bloom-filter}. */
  String name();

  /** Whether values of the type can be indexed (spec chapters 21 to 24). */
  boolean supports(ColumnType type);

  /** Names of the options that {@link #writer} knows, such as {@code fpp}. */
  java.util.Set<String> options();

  /**
   * Starts the index of one column of one data file.
   *
   * @param type of the values; supported
   * @throws IllegalArgumentException if an option has a wrong value; the message names its key
   */
  IndexWriter writer(ColumnType type, IndexOptions options);

  /**
   * Opens an index. Only what an answer needs is read of it.
   *
   * @param type of the column in the schema that the data file was written with; supported
   * @param payload the bytes of this index
   * @param rowCount rows of the data file
   * @throws io.obelus.core.io.CorruptFileException if the bytes are not an index of so many rows;
   *     also thrown later, when more is read
   * @throws io.obelus.core.io.UnknownVersionException if they are of a newer version
   */
  IndexReader reader(ColumnType type, Payload payload, long rowCount) throws IOException;
}
