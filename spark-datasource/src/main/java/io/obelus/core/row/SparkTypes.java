package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.VarcharType;

/**
 * Which Spark type the values of a column have, and which column type a Spark type makes (spec
 * chapter 15).
 */
public final class SparkTypes {

  // Keys of Spark's own field metadata. The accessors of StructField answer in Scala's Option.
  private static final String COMMENT = "comment";
  private static final String CURRENT_DEFAULT = "CURRENT_DEFAULT";

  private static final int SPARK_TIMESTAMP_PRECISION = 6;

  private SparkTypes() {}

  /**
   * The row in Spark's terms: names, types, nullability, comments and current defaults. CHAR(n) and
   * VARCHAR(n) are StringType with the metadata by which Spark pads and checks the length of what
   * is written. IllegalArgumentException names a column that Spark 3.5 cannot hold.
   */
  public static StructType toSpark(RowType type) {
    StructField[] fields = new StructField[type.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = field(type.column(i));
    }
    return CharVarcharUtils.replaceCharVarcharWithStringInSchema(new StructType(fields));
  }

  /** The type of the values, CHAR(n) and VARCHAR(n) as StringType. */
  public static DataType toSpark(ColumnType type) {
    return CharVarcharUtils.replaceCharVarcharWithString(exact(type));
  }

  private static StructField field(Column column) {
    DataType type;
    try {
      type = exact(column.type());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column '" + column.name() + "': " + e.getMessage(), e);
    }
    StructField field =
        new StructField(column.name(), type, column.type().nullable(), Metadata.empty());
    if (column.comment() != null) {
      field = field.withComment(column.comment());
    }
    if (column.defaultValue() != null) {
      field = field.withCurrentDefaultValue(column.defaultValue());
    }
    return field;
  }

  /** With Spark's CharType and VarcharType, which may stand in schemas but not in plans. */
  private static DataType exact(ColumnType type) {
    if (type instanceof Scalar scalar) {
      return exact(scalar);
    } else if (type instanceof ColumnType.Array array) {
      return new ArrayType(exact(array.element()), array.element().nullable());
    } else if (type instanceof ColumnType.Multiset multiset) {
      return new MapType(exact(multiset.element()), DataTypes.IntegerType, false);
    } else if (type instanceof ColumnType.Map map) {
      return new MapType(exact(map.key()), exact(map.value()), map.value().nullable());
    }
    List<StructField> fields = new ArrayList<>();
    for (Column column : ((ColumnType.Row) type).columns()) {
      fields.add(field(column));
    }
    return DataTypes.createStructType(fields);
  }

  private static DataType exact(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN -> DataTypes.BooleanType;
      case TINYINT -> DataTypes.ByteType;
      case SMALLINT -> DataTypes.ShortType;
      case INT, TIME -> DataTypes.IntegerType;
      case BIGINT -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case DECIMAL -> new DecimalType(type.precision(), type.scale());
      case CHAR -> new CharType(type.precision());
      case VARCHAR ->
          type.precision() == ColumnType.MAX_LENGTH
              ? DataTypes.StringType
              : new VarcharType(type.precision());
      case BINARY, VARBINARY -> DataTypes.BinaryType;
      case DATE -> DataTypes.DateType;
      case TIMESTAMP -> DataTypes.TimestampNTZType;
      case TIMESTAMP_LTZ -> DataTypes.TimestampType;
      case VARIANT ->
          throw new IllegalArgumentException(
              "type VARIANT has no counterpart in Spark 3.5; read the table with Spark 4");
    };
  }

  /**
   * The columns that a Spark schema makes, with fresh field ids: a column's id before those of its
   * nested fields, nested rows inside nested rows as in spec chapter 02. IllegalArgumentException
   * names a column whose type the format lacks.
   *
   * @param firstId id of the first column
   */
  public static RowType fromSpark(StructType schema, int firstId) {
    FieldIds ids = new FieldIds(firstId);
    List<Column> columns = new ArrayList<>();
    for (StructField field : CharVarcharUtils.getRawSchema(schema).fields()) {
      int id = ids.next();
      columns.add(column(id, field, type(field.dataType(), field.name(), ids)));
    }
    return new RowType(columns);
  }

  /** The next field id that nobody has; a nested row takes ids while its own are being given. */
  private static final class FieldIds {
    private int next;

    FieldIds(int first) {
      next = first;
    }

    int next() {
      return next++;
    }
  }

  private static Column column(int id, StructField field, ColumnType type) {
    return new Column(
        id,
        field.name(),
        type.withNullable(field.nullable()),
        metadata(field, COMMENT),
        metadata(field, CURRENT_DEFAULT));
  }

  private static String metadata(StructField field, String key) {
    return field.metadata().contains(key) ? field.metadata().getString(key) : null;
  }

  private static ColumnType type(DataType type, String path, FieldIds ids) {
    if (type instanceof ArrayType array) {
      ColumnType element = type(array.elementType(), path + ".element", ids);
      return new ColumnType.Array(element.withNullable(array.containsNull()), true);
    } else if (type instanceof MapType map) {
      ColumnType key = type(map.keyType(), path + ".key", ids);
      ColumnType value = type(map.valueType(), path + ".value", ids);
      return new ColumnType.Map(
          key.withNullable(false), value.withNullable(map.valueContainsNull()), true);
    } else if (type instanceof StructType struct) {
      List<Column> columns = new ArrayList<>();
      for (StructField field : struct.fields()) {
        // In this order: the fields inside are numbered before the field that holds them.
        ColumnType inner = type(field.dataType(), path + "." + field.name(), ids);
        columns.add(column(ids.next(), field, inner));
      }
      return new ColumnType.Row(columns, true);
    }
    return scalar(type, path);
  }

  private static Scalar scalar(DataType type, String path) {
    if (type instanceof DecimalType decimal) {
      return new Scalar(Kind.DECIMAL, decimal.precision(), decimal.scale(), true);
    } else if (type instanceof CharType text) {
      return new Scalar(Kind.CHAR, text.length(), 0, true);
    } else if (type instanceof VarcharType text) {
      return new Scalar(Kind.VARCHAR, text.length(), 0, true);
    } else if (type instanceof StringType) {
      return ColumnType.string();
    } else if (type instanceof BinaryType) {
      return new Scalar(Kind.VARBINARY, ColumnType.MAX_LENGTH, 0, true);
    } else if (type instanceof TimestampType) {
      return new Scalar(Kind.TIMESTAMP_LTZ, SPARK_TIMESTAMP_PRECISION, 0, true);
    } else if (type instanceof TimestampNTZType) {
      return new Scalar(Kind.TIMESTAMP, SPARK_TIMESTAMP_PRECISION, 0, true);
    }
    return new Scalar(plain(type, path));
  }

  private static Kind plain(DataType type, String path) {
    if (type instanceof BooleanType) {
      return Kind.BOOLEAN;
    } else if (type instanceof ByteType) {
      return Kind.TINYINT;
    } else if (type instanceof ShortType) {
      return Kind.SMALLINT;
    } else if (type instanceof IntegerType) {
      return Kind.INT;
    } else if (type instanceof LongType) {
      return Kind.BIGINT;
    } else if (type instanceof FloatType) {
      return Kind.FLOAT;
    } else if (type instanceof DoubleType) {
      return Kind.DOUBLE;
    } else if (type instanceof DateType) {
      return Kind.DATE;
    }
    throw new IllegalArgumentException(
        "column '"
            + path
            + "' has Spark type "
            + type.sql()
            + ", which tables cannot hold; cast it to another type or leave the column out");
  }
}
