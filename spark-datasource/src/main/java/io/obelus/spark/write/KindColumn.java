package io.obelus.spark.write;

import io.obelus.core.row.RowType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of a table with their kind as one more column at the end, so that a row keeps its kind while
 * it is sorted or held back. Not thread-safe.
 */
final class KindColumn {

  private final int index;
  private final StructType schema;
  private final UnsafeProjection appended;
  private final UnsafeProjection stripped;
  private final JoinedRow joined = new JoinedRow();
  private final GenericInternalRow kind = new GenericInternalRow(1);

  KindColumn(RowType type) {
    index = type.size();
    schema = type.toSpark().add("_kind", DataTypes.ByteType, false);
    appended = UnsafeProjection.create(schema);
    stripped = UnsafeProjection.create(type.toSpark());
  }

  StructType schema() {
    return schema;
  }

  /** The row and its kind; valid until the next call. */
  UnsafeRow append(InternalRow row, byte code) {
    kind.setByte(0, code);
    return appended.apply(joined.apply(row, kind));
  }

  byte kind(UnsafeRow row) {
    return row.getByte(index);
  }

  void setKind(UnsafeRow row, byte code) {
    row.setByte(index, code);
  }

  /** The row without its kind; valid until the next call. */
  UnsafeRow strip(UnsafeRow row) {
    return stripped.apply(row);
  }
}
