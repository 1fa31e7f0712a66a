package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Our types, rows and values in the terms of Apache Paimon, to compare with what it makes. */
public final class PaimonRows {

  private PaimonRows() {}

  /** The same row type. */
  public static org.apache.paimon.types.RowType type(RowType type) {
    return new org.apache.paimon.types.RowType(fields(type.columns()));
  }

  private static List<DataField> fields(List<Column> columns) {
    return columns.stream()
        .map(column -> new DataField(column.id(), column.name(), type(column.type())))
        .toList();
  }

  /** The same type. */
  public static DataType type(ColumnType type) {
    if (type instanceof ColumnType.Array array) {
      return new org.apache.paimon.types.ArrayType(type.nullable(), type(array.element()));
    } else if (type instanceof ColumnType.Multiset multiset) {
      return new org.apache.paimon.types.MultisetType(type.nullable(), type(multiset.element()));
    } else if (type instanceof ColumnType.Map map) {
      return new org.apache.paimon.types.MapType(
          type.nullable(), type(map.key()), type(map.value()));
    } else if (type instanceof ColumnType.Row row) {
      return new org.apache.paimon.types.RowType(type.nullable(), fields(row.columns()));
    }
    return DataTypeJsonParser.parseAtomicTypeSQLString(ColumnTypes.print(type));
  }

  /** The same row. */
  public static GenericRow row(InternalRow row, RowType type) {
    return row(row, type.columns());
  }

  private static GenericRow row(InternalRow row, List<Column> columns) {
    GenericRow copy = new GenericRow(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      ColumnType type = columns.get(i).type();
      copy.setField(i, row.isNullAt(i) ? null : value(row.get(i, SparkTypes.toSpark(type)), type));
    }
    return copy;
  }

  /** The same value; null stays null. */
  public static Object value(Object value, ColumnType type) {
    if (value == null) {
      return null;
    } else if (type instanceof ColumnType.Array array) {
      return new GenericArray(values((ArrayData) value, array.element()));
    } else if (type instanceof ColumnType.Map map) {
      return map((MapData) value, map.key(), map.value());
    } else if (type instanceof ColumnType.Multiset multiset) {
      return map((MapData) value, multiset.element(), ColumnTypes.parse("INT"));
    } else if (type instanceof ColumnType.Row row) {
      return row((InternalRow) value, row.columns());
    }
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    return switch (scalar.kind()) {
      case CHAR, VARCHAR -> BinaryString.fromBytes(((UTF8String) value).getBytes());
      case DECIMAL ->
          org.apache.paimon.data.Decimal.fromBigDecimal(
              ((Decimal) value).toJavaBigDecimal(), scalar.precision(), scalar.scale());
      case TIMESTAMP, TIMESTAMP_LTZ -> Timestamp.fromMicros((Long) value);
      default -> value;
    };
  }

  private static Object[] values(ArrayData array, ColumnType type) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      values.add(array.isNullAt(i) ? null : value(array.get(i, SparkTypes.toSpark(type)), type));
    }
    return values.toArray();
  }

  private static GenericMap map(MapData map, ColumnType key, ColumnType value) {
    Object[] keys = values(map.keyArray(), key);
    Object[] values = values(map.valueArray(), value);
    Map<Object, Object> copy = new LinkedHashMap<>();
    for (int i = 0; i < keys.length; i++) {
      copy.put(keys[i], values[i]);
    }
    return new GenericMap(copy);
  }
}
