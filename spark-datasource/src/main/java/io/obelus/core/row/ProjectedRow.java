package io.obelus.core.row;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Some columns of another row, seen through instead of copied. One instance is laid over row after
 * row with {@link #over}; it is as mutable as the row below it and not thread-safe.
 */
public final class ProjectedRow extends InternalRow {

  private static final long serialVersionUID = 1;

  private final int[] columns;
  private final DataType[] types;
  private InternalRow row;

  /**
   * @param type of the rows below
   * @param columns indexes in there of this row's columns
   */
  public ProjectedRow(RowType type, int[] columns) {
    this(type.columns(), columns);
  }

  /** As the other form, for rows of which several columns may have one name. */
  public ProjectedRow(List<Column> below, int[] columns) {
    this.columns = columns.clone();
    this.types = new DataType[columns.length];
    for (int i = 0; i < columns.length; i++) {
      types[i] = SparkTypes.toSpark(below.get(columns[i]).type());
    }
  }

  /** Lays this view over another row; returns itself. */
  public ProjectedRow over(InternalRow below) {
    this.row = below;
    return this;
  }

  @Override
  public int numFields() {
    return columns.length;
  }

  @Override
  public boolean isNullAt(int ordinal) {
    return row.isNullAt(columns[ordinal]);
  }

  @Override
  public boolean getBoolean(int ordinal) {
    return row.getBoolean(columns[ordinal]);
  }

  @Override
  public byte getByte(int ordinal) {
    return row.getByte(columns[ordinal]);
  }

  @Override
  public short getShort(int ordinal) {
    return row.getShort(columns[ordinal]);
  }

  @Override
  public int getInt(int ordinal) {
    return row.getInt(columns[ordinal]);
  }

  @Override
  public long getLong(int ordinal) {
    return row.getLong(columns[ordinal]);
  }

  @Override
  public float getFloat(int ordinal) {
    return row.getFloat(columns[ordinal]);
  }

  @Override
  public double getDouble(int ordinal) {
    return row.getDouble(columns[ordinal]);
  }

  @Override
  public Decimal getDecimal(int ordinal, int precision, int scale) {
    return row.getDecimal(columns[ordinal], precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int ordinal) {
    return row.getUTF8String(columns[ordinal]);
  }

  @Override
  public byte[] getBinary(int ordinal) {
    return row.getBinary(columns[ordinal]);
  }

  @Override
  public CalendarInterval getInterval(int ordinal) {
    return row.getInterval(columns[ordinal]);
  }

  @Override
  public InternalRow getStruct(int ordinal, int numFields) {
    return row.getStruct(columns[ordinal], numFields);
  }

  @Override
  public ArrayData getArray(int ordinal) {
    return row.getArray(columns[ordinal]);
  }

  @Override
  public MapData getMap(int ordinal) {
    return row.getMap(columns[ordinal]);
  }

  @Override
  public Object get(int ordinal, DataType type) {
    return row.get(columns[ordinal], type);
  }

  /** A row of its own that holds the values; no view. */
  @Override
  public InternalRow copy() {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = isNullAt(i) ? null : InternalRow.copyValue(get(i, types[i]));
    }
    return new GenericInternalRow(values);
  }

  /** Not supported: the row below belongs to somebody else. */
  @Override
  public void setNullAt(int ordinal) {
    throw new UnsupportedOperationException("a projected row cannot be changed");
  }

  /** Not supported: the row below belongs to somebody else. */
  @Override
  public void update(int ordinal, Object value) {
    throw new UnsupportedOperationException("a projected row cannot be changed");
  }
}
