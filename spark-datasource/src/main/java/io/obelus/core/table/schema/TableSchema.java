package io.obelus.core.table.schema;

import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One schema of a table (spec chapter 02). Immutable.
 *
 * @param version of the schema file's format, 1 to 3
 * @param highestFieldId largest field id ever given, nested and dropped ones included
 * @param options as stored; {@link TableOptions} gives them meaning
 * @param comment null if none
 */
public record TableSchema(
    int version,
    long id,
    RowType rowType,
    int highestFieldId,
    List<String> partitionKeys,
    List<String> primaryKeys,
    Map<String, String> options,
    String comment,
    long timeMillis)
    implements Serializable {

  public TableSchema {
    partitionKeys = List.copyOf(partitionKeys);
    primaryKeys = List.copyOf(primaryKeys);
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options)); // keeps their order
  }

  /** The same schema with other options, as the next one of its table. */
  public TableSchema next(Map<String, String> otherOptions, long millis) {
    return new TableSchema(
        SchemaFormat.WRITTEN,
        id + 1,
        rowType,
        highestFieldId,
        partitionKeys,
        primaryKeys,
        otherOptions,
        comment,
        millis);
  }

  /** The same schema with another comment, as the next one of its table. */
  TableSchema next(String otherComment, long millis) {
    return new TableSchema(
        SchemaFormat.WRITTEN,
        id + 1,
        rowType,
        highestFieldId,
        partitionKeys,
        primaryKeys,
        options,
        otherComment,
        millis);
  }

  /** The columns as a schema file has them, but on one line: a JSON array. */
  public String columnsJson() {
    return SchemaFormat.columns(rowType).toString();
  }

  /** Whether rows have a key; else rows are only appended. */
  public boolean keyed() {
    return !primaryKeys.isEmpty();
  }

  /**
   * Primary key without the partition columns, in key order: what rows of a partition are sorted
   * by.
   */
  public List<String> trimmedPrimaryKeys() {
    return primaryKeys.stream().filter(k -> !partitionKeys.contains(k)).toList();
  }

  /** Row type of the partition values. */
  public RowType partitionType() {
    return rowType.project(partitionKeys);
  }

  /** Row type of the trimmed primary key. */
  public RowType keyType() {
    return rowType.project(trimmedPrimaryKeys());
  }
}
