package io.obelus.spark.write;

import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowKind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableOptions;
import io.obelus.core.table.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Makes one change of the changes that a statement has for a key. A MERGE may delete a row and
 * insert another one of its key, and sorting by key says nothing about which of the two comes
 * first: what is inserted is what stays, as an update.
 *
 * <p>Not thread-safe.
 */
final class KeyChanges {

  /** Where the changes go on to. */
  interface Next {
    void write(InternalRow row, byte kind) throws IOException;
  }

  private final RowType type;
  private final int[] key;
  private final boolean sequenceDecides;
  private final KindColumn kindColumn;
  private final Comparator<InternalRow> byKey;
  private final Next next;
  private final UnsafeRow held;
  private boolean holds;

  KeyChanges(TableSchema schema, TableOptions options, KindColumn kindColumn, Next next) {
    this.type = schema.rowType();
    this.key = type.indexesOf(schema.primaryKeys());
    this.sequenceDecides =
        options.deletionCoding().isEmpty() && !options.sequenceFields().isEmpty();
    this.kindColumn = kindColumn;
    this.byKey = RowComparator.of(type, key);
    this.next = next;
    this.held = UnsafeRow.createFromByteArray(64, kindColumn.schema().length());
  }

  /** Takes a row in key order, with its kind at the end; it may be reused by the caller. */
  void add(UnsafeRow row) throws IOException {
    if (holds && byKey.compare(held, row) == 0) {
      boolean heldGoes = RowKind.isRetract(kindColumn.kind(held));
      boolean rowGoes = RowKind.isRetract(kindColumn.kind(row));
      if (heldGoes && rowGoes) {
        return; // a MERGE may match a row twice to delete it
      }
      if (heldGoes != rowGoes && !sequenceDecides) {
        if (heldGoes) {
          held.copyFrom(row);
        }
        kindColumn.setKind(held, RowKind.UPDATE_AFTER.code());
        return;
      }
      throw new IllegalArgumentException(
          "the statement has more than one new row for the key "
              + describe(row)
              + ", so that it is not said which is to stay. Make the source have each key once.");
    }
    finish();
    held.copyFrom(row);
    holds = true;
  }

  /** Hands on what is held back. */
  void finish() throws IOException {
    if (holds) {
      holds = false;
      next.write(kindColumn.strip(held), kindColumn.kind(held));
    }
  }

  private String describe(InternalRow row) {
    List<String> parts = new ArrayList<>();
    for (int column : key) {
      parts.add(
          type.column(column).name()
              + "="
              + row.get(column, kindColumn.schema().apply(column).dataType()));
    }
    return String.join(", ", parts);
  }
}
