package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * How columns stand in a Parquet file (spec chapter 07): physical type, annotation, field id.
 *
 * <p>An array's element and a map's key and value have no field id of their own. Theirs is made of
 * F, the id of the column around them, and d, how deep they are inside of it (from 1):
 *
 * <pre>
 *   element, map value   536870911 + 1024 * F + d
 *   map key              536870911 - 1024 * F - d
 * </pre>
 */
final class ParquetSchemas {

  static final String MESSAGE = "paimon_schema";

  private static final int NESTED_ID_BASE = 536870911;
  private static final int IDS_PER_COLUMN = 1024;
  private static final int INT_DIGITS = 9;
  private static final int LONG_DIGITS = 18;

  private ParquetSchemas() {}

  /** The schema of a file whose columns are {@code columns}, in that order. */
  static MessageType message(List<Column> columns) {
    return new MessageType(MESSAGE, fields(columns));
  }

  /** Every column of a data file, system columns first. */
  static List<Column> fileColumns(DataFileColumns columns, boolean keyColumns) {
    List<Column> all = new ArrayList<>();
    RowType row = columns.row();
    if (columns.key().length > 0) {
      if (keyColumns) {
        for (int index : columns.key()) {
          all.add(DataFileColumns.repeated(row.column(index)));
        }
      }
      all.add(DataFileColumns.SEQUENCE);
      all.add(DataFileColumns.KIND);
    }
    all.addAll(row.columns());
    return all;
  }

  private static List<Type> fields(List<Column> columns) {
    List<Type> fields = new ArrayList<>(columns.size());
    for (Column column : columns) {
      fields.add(field(column.name(), column.type(), column.id(), column.id(), 0));
    }
    return fields;
  }

  private static Type field(String name, ColumnType type, int id, int owner, int depth) {
    return field(name, type, owner, depth).withId(id);
  }

  /** Without id; {@code owner} and {@code depth} are F and d of the class comment. */
  private static Type field(String name, ColumnType type, int owner, int depth) {
    Repetition repetition = type.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED;
    if (type instanceof ColumnType.Scalar scalar) {
      return primitive(name, scalar, repetition);
    } else if (type instanceof ColumnType.Array array) {
      Type element = field("element", array.element(), valueId(owner, depth + 1), owner, depth + 1);
      return Types.buildGroup(repetition)
          .as(LogicalTypeAnnotation.listType())
          .addField(new GroupType(Repetition.REPEATED, "list", element))
          .named(name);
    } else if (type instanceof ColumnType.Map map) {
      return mapGroup(name, repetition, map.key(), map.value(), owner, depth);
    } else if (type instanceof ColumnType.Multiset bag) {
      return mapGroup(name, repetition, bag.element(), COUNT, owner, depth);
    } else if (type instanceof ColumnType.Row row) {
      return new GroupType(repetition, name, fields(row.columns()));
    }
    throw new IllegalArgumentException("column '" + name + "': unknown type " + type);
  }

  /** How often an element is in a bag. */
  static final ColumnType.Scalar COUNT = new ColumnType.Scalar(ColumnType.Kind.INT, 0, 0, false);

  private static Type mapGroup(
      String name,
      Repetition repetition,
      ColumnType keyType,
      ColumnType valueType,
      int owner,
      int depth) {
    int inner = depth + 1;
    Type key = field("key", keyType.withNullable(false), keyId(owner, inner), owner, inner);
    Type value = field("value", valueType, valueId(owner, inner), owner, inner);
    Type entry =
        Types.repeatedGroup()
            .as(LogicalTypeAnnotation.MapKeyValueTypeAnnotation.getInstance())
            .addFields(key, value)
            .named("key_value");
    return Types.buildGroup(repetition)
        .as(LogicalTypeAnnotation.mapType())
        .addField(entry)
        .named(name);
  }

  private static int valueId(int owner, int depth) {
    return NESTED_ID_BASE + IDS_PER_COLUMN * owner + depth;
  }

  private static int keyId(int owner, int depth) {
    return NESTED_ID_BASE - IDS_PER_COLUMN * owner - depth;
  }

  private static PrimitiveType primitive(
      String name, ColumnType.Scalar type, Repetition repetition) {
    return switch (type.kind()) {
      case BOOLEAN -> plain(PrimitiveTypeName.BOOLEAN, repetition, null, name);
      case TINYINT -> int32(repetition, LogicalTypeAnnotation.intType(8, true), name);
      case SMALLINT -> int32(repetition, LogicalTypeAnnotation.intType(16, true), name);
      case INT -> int32(repetition, null, name);
      case BIGINT -> plain(PrimitiveTypeName.INT64, repetition, null, name);
      case FLOAT -> plain(PrimitiveTypeName.FLOAT, repetition, null, name);
      case DOUBLE -> plain(PrimitiveTypeName.DOUBLE, repetition, null, name);
      case DECIMAL -> decimal(type, repetition, name);
      case CHAR, VARCHAR ->
          plain(PrimitiveTypeName.BINARY, repetition, LogicalTypeAnnotation.stringType(), name);
      case BINARY, VARBINARY -> plain(PrimitiveTypeName.BINARY, repetition, null, name);
      case DATE -> int32(repetition, LogicalTypeAnnotation.dateType(), name);
      case TIME -> int32(repetition, LogicalTypeAnnotation.timeType(true, TimeUnit.MILLIS), name);
      case TIMESTAMP -> timestamp(type, false, repetition, name);
      case TIMESTAMP_LTZ -> timestamp(type, true, repetition, name);
      case VARIANT ->
          throw new IllegalArgumentException(
              "column '"
                  + name
                  + "': VARIANT can be neither read nor written; leave the column out");
    };
  }

  private static PrimitiveType int32(
      Repetition repetition, LogicalTypeAnnotation annotation, String name) {
    return plain(PrimitiveTypeName.INT32, repetition, annotation, name);
  }

  private static PrimitiveType plain(
      PrimitiveTypeName physical,
      Repetition repetition,
      LogicalTypeAnnotation annotation,
      String name) {
    return Types.primitive(physical, repetition).as(annotation).named(name);
  }

  private static PrimitiveType decimal(ColumnType.Scalar type, Repetition repetition, String name) {
    LogicalTypeAnnotation annotation =
        LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
    if (type.precision() <= INT_DIGITS) {
      return int32(repetition, annotation, name);
    } else if (type.precision() <= LONG_DIGITS) {
      return plain(PrimitiveTypeName.INT64, repetition, annotation, name);
    }
    return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
        .length(decimalBytes(type.precision()))
        .as(annotation)
        .named(name);
  }

  /** The least number of bytes that hold every signed number of so many digits. */
  static int decimalBytes(int precision) {
    int bits = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength();
    return (bits + 1 + 7) / 8;
  }

  private static PrimitiveType timestamp(
      ColumnType.Scalar type, boolean utc, Repetition repetition, String name) {
    if (isInt96(type)) {
      return plain(PrimitiveTypeName.INT96, repetition, null, name);
    }
    TimeUnit unit = isMillis(type) ? TimeUnit.MILLIS : TimeUnit.MICROS;
    return plain(
        PrimitiveTypeName.INT64, repetition, LogicalTypeAnnotation.timestampType(utc, unit), name);
  }

  /** Whether a time stamp is kept as milliseconds. */
  static boolean isMillis(ColumnType.Scalar type) {
    return type.precision() <= 3;
  }

  /** Whether a time stamp is kept as day and nanoseconds of the day. */
  static boolean isInt96(ColumnType.Scalar type) {
    return type.precision() > 6;
  }
}
