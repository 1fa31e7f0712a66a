package io.obelus.core.file.data;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowType;
import io.obelus.core.row.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns of a file make up the columns asked for (spec chapter 13): matched by field id, on
 * every level, and read by the names that the file has. A column that the file lacks is null in
 * every row; one whose type has become wider since is read as it is and widened.
 */
final class ReadColumns {

  private static final String MISSING = "_missing_";

  /**
   * Where a column asked for comes from: index of the column decoded, or -1 if the file lacks it.
   */
  record Source(int decoded, Widening widening) {
    boolean isMissing() {
      return decoded < 0;
    }
  }

  private final String path;
  private final List<Type> requested = new ArrayList<>();
  private final List<StructField> types = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();

  /**
   * @param path of the file, for messages
   * @param file the Parquet schema of the file
   * @param fileColumns the table's columns when the file was written
   * @param columns the columns asked for
   */
  ReadColumns(String path, MessageType file, RowType fileColumns, RowType columns) {
    this.path = path;
    for (Column column : columns.columns()) {
      sources.add(source(file, fileColumns, column));
    }
  }

  /** The columns to decode; none if no column asked for is in the file. */
  MessageType requested() {
    return Types.buildMessage().addFields(requested.toArray(Type[]::new)).named("requested");
  }

  /** What to decode them to. */
  StructType types() {
    return new StructType(types.toArray(StructField[]::new));
  }

  /** One for each column asked for. */
  List<Source> sources() {
    return sources;
  }

  /** The column of the file that holds a column asked for; null if there is none. */
  static Column stored(RowType fileColumns, Column column) {
    if (column.id() == DataFileColumns.SEQUENCE.id()) {
      return DataFileColumns.SEQUENCE;
    } else if (column.id() == DataFileColumns.KIND.id()) {
      return DataFileColumns.KIND;
    }
    boolean repeated = column.id() >= DataFileColumns.KEY_ID_BASE;
    int index =
        fileColumns.indexOfId(repeated ? column.id() - DataFileColumns.KEY_ID_BASE : column.id());
    if (index < 0) {
      return null;
    }
    Column stored = fileColumns.column(index);
    return repeated ? DataFileColumns.repeated(stored) : stored;
  }

  private Source source(MessageType file, RowType fileColumns, Column column) {
    Column stored = stored(fileColumns, column);
    if (stored == null || !file.containsField(stored.name())) {
      return new Source(-1, null);
    }
    Type type = file.getType(stored.name());
    Widening widening = null;
    ColumnType decoded = column.type();
    if (stored.type() instanceof ColumnType.Scalar from
        && column.type() instanceof ColumnType.Scalar to) {
      widening = Widening.of(path, column.name(), from, to);
      decoded = from;
    }
    Clipped clipped = clip(column.name(), type, stored.type(), decoded);
    requested.add(clipped.parquet());
    types.add(new StructField(stored.name(), clipped.spark(), true, Metadata.empty()));
    return new Source(requested.size() - 1, widening);
  }

  /** A part of a type of the file, and the Spark type to decode it to. */
  private record Clipped(Type parquet, DataType spark) {}

  private Clipped clip(String name, Type parquet, ColumnType from, ColumnType to) {
    if (from instanceof ColumnType.Scalar stored && to instanceof ColumnType.Scalar wanted) {
      if (Widening.of(path, name, stored, wanted) != null) {
        throw new IllegalArgumentException(
            "%s: column '%s' has become %s since the file was written as %s; inside of other types that cannot be read yet. Rewrite the file with a release that can."
                .formatted(path, name, wanted.kind(), stored.kind()));
      }
      return new Clipped(parquet, scalar(stored));
    } else if (from instanceof ColumnType.Row stored && to instanceof ColumnType.Row wanted) {
      return row(name, parquet.asGroupType(), stored, wanted);
    } else if (from instanceof ColumnType.Array stored && to instanceof ColumnType.Array wanted) {
      return array(name, parquet.asGroupType(), stored.element(), wanted.element());
    } else if (from instanceof ColumnType.Map stored && to instanceof ColumnType.Map wanted) {
      return map(
          name,
          parquet.asGroupType(),
          List.of(stored.key(), stored.value()),
          List.of(wanted.key(), wanted.value()));
    } else if (from instanceof ColumnType.Multiset stored
        && to instanceof ColumnType.Multiset wanted) {
      return map(
          name,
          parquet.asGroupType(),
          List.of(stored.element(), ParquetSchemas.COUNT),
          List.of(wanted.element(), ParquetSchemas.COUNT));
    }
    throw new IllegalArgumentException(
        "%s: column '%s' is %s in the file and should be read as %s, which cannot be done"
            .formatted(path, name, from, to));
  }

  private static DataType scalar(ColumnType.Scalar type) {
    if (type.kind() == Kind.TIMESTAMP && ParquetSchemas.isInt96(type)) {
      // Spark's reader decodes INT96 to this type only. The values are the same microseconds.
      return DataTypes.TimestampType;
    }
    return SparkTypes.toSpark(type);
  }

  private Clipped row(String name, GroupType parquet, ColumnType.Row from, ColumnType.Row to) {
    RowType stored = new RowType(from.columns());
    List<Type> fields = new ArrayList<>();
    List<StructField> types = new ArrayList<>();
    boolean anyStored = false;
    for (Column column : to.columns()) {
      int index = stored.indexOfId(column.id());
      if (index >= 0 && parquet.containsField(stored.column(index).name())) {
        anyStored = true;
        addField(name, parquet, stored.column(index), column.type(), fields, types);
      } else {
        Column missing =
            new Column(column.id(), MISSING + column.id(), column.type().withNullable(true));
        fields.add(ParquetSchemas.message(List.of(missing)).getType(0));
        types.add(
            new StructField(missing.name(), decodedType(missing.type()), true, Metadata.empty()));
      }
    }
    if (!anyStored) {
      // Whether the row itself is null is known from its fields only: one is read along.
      for (Column column : stored.columns()) {
        if (parquet.containsField(column.name())) {
          addField(name, parquet, column, column.type(), fields, types);
          break;
        }
      }
    }
    return new Clipped(
        parquet.withNewFields(fields), new StructType(types.toArray(StructField[]::new)));
  }

  private void addField(
      String name,
      GroupType parquet,
      Column stored,
      ColumnType wanted,
      List<Type> fields,
      List<StructField> types) {
    Clipped clipped =
        clip(name + "." + stored.name(), parquet.getType(stored.name()), stored.type(), wanted);
    fields.add(clipped.parquet());
    types.add(new StructField(stored.name(), clipped.spark(), true, Metadata.empty()));
  }

  private static DataType decodedType(ColumnType type) {
    return type instanceof ColumnType.Scalar scalar ? scalar(scalar) : SparkTypes.toSpark(type);
  }

  private Clipped array(String name, GroupType parquet, ColumnType from, ColumnType to) {
    Type repeated = parquet.getType(0);
    if (!repeated.isPrimitive()
        && parquet.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation
        && repeated.asGroupType().getFieldCount() == 1
        && !repeated.getName().equals("array")
        && !repeated.getName().equals(parquet.getName() + "_tuple")) {
      GroupType list = repeated.asGroupType();
      Clipped element = clip(name + ".element", list.getType(0), from, to);
      return new Clipped(
          parquet.withNewFields(list.withNewFields(element.parquet())),
          new ArrayType(element.spark(), true));
    }
    // Two-level lists of old writers: Spark knows the shapes; parts of the element cannot be taken.
    Clipped whole = clip(name + ".element", repeated, from, to);
    if (!whole.parquet().equals(repeated)) {
      throw new IllegalArgumentException(
          "%s: column '%s' is a list of an old form whose element has changed since; that cannot be read"
              .formatted(path, name));
    }
    return new Clipped(parquet, new ArrayType(whole.spark(), true));
  }

  private Clipped map(String name, GroupType parquet, List<ColumnType> from, List<ColumnType> to) {
    GroupType entry = parquet.getType(0).asGroupType();
    Clipped key = clip(name + ".key", entry.getType(0), from.get(0), to.get(0));
    Clipped value = clip(name + ".value", entry.getType(1), from.get(1), to.get(1));
    return new Clipped(
        parquet.withNewFields(entry.withNewFields(key.parquet(), value.parquet())),
        new MapType(key.spark(), value.spark(), true));
  }
}
