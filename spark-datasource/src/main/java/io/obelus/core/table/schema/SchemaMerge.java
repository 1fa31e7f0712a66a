package io.obelus.core.table.schema;

import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.SparkTypes;
import io.obelus.core.table.schema.ColumnChange.Position;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Makes a table able to take rows of other columns (option {@code write.merge-schema}): columns
 * that it lacks are added at the end, also fields inside of structs, and columns that are too
 * narrow become wider. No column goes, becomes narrower or changes its place.
 *
 * <pre>
 *   rows have            the column of the table
 *   another column       is added, nullable
 *   a wider type         becomes wider, as ALTER COLUMN … TYPE allows it
 *   decimals             get the places of both before and behind the point
 *   a narrower type      stays, and values are cast
 *   another type         is an error; with explicitCast it stays, and values are cast
 * </pre>
 *
 * @param rows columns of the rows
 * @param explicitCast whether a type that does not fit is cast where rows are written
 * @param caseSensitive whether names that differ in case are two columns
 * @param places see {@link #places}; of another table than one of these nothing is changed
 */
public record SchemaMerge(
    StructType rows, boolean explicitCast, boolean caseSensitive, List<String> places)
    implements SchemaChange {

  /** The option that asks for it, for messages. */
  public static final String EXPLICIT_CAST = "write.merge-schema.explicit-cast";

  /** Names of the columns that say where a row belongs: of partition, primary and bucket key. */
  public static List<String> places(TableSchema schema) {
    TableOptions options = new TableOptions(schema);
    List<String> places = new ArrayList<>(schema.partitionKeys());
    places.addAll(schema.primaryKeys());
    places.addAll(options.bucket() > 0 ? options.bucketKeys() : List.of());
    return places.stream().distinct().toList();
  }

  /**
   * {@inheritDoc}
   *
   * @throws CommitConflictException if keys have other names by now: rows bring the old ones
   */
  @Override
  public TableSchema applyTo(TableSchema schema, boolean hasSnapshot, long timeMillis) {
    if (!places(schema).equals(places)) {
      throw new CommitConflictException(
          "rows to be written go by the columns %s, but the table goes by %s now; nothing is written, try again"
              .formatted(places, places(schema)));
    }
    List<ColumnChange> changes = new Difference(schema).changes();
    return changes.isEmpty()
        ? schema
        : new ColumnChanges(changes).applyTo(schema, hasSnapshot, timeMillis);
  }

  /** What a schema lacks to take the rows. */
  private final class Difference {

    private final TableSchema schema;
    private final List<ColumnChange> changes = new ArrayList<>();

    Difference(TableSchema schema) {
      this.schema = schema;
    }

    List<ColumnChange> changes() {
      fields(List.of(), schema.rowType().columns(), rows);
      return changes;
    }

    private void fields(List<String> path, List<Column> columns, StructType given) {
      for (StructField field : given.fields()) {
        Column column = find(columns, field.name());
        if (column == null) {
          changes.add(
              new ColumnChange.Add(
                  step(path, field.name()),
                  field.dataType().asNullable(),
                  true,
                  field.metadata().contains("comment")
                      ? field.metadata().getString("comment")
                      : null,
                  Position.LAST));
        } else {
          type(step(path, column.name()), column.type(), field.dataType());
        }
      }
    }

    private Column find(List<Column> columns, String name) {
      return columns.stream()
          .filter(
              column ->
                  caseSensitive ? column.name().equals(name) : column.name().equalsIgnoreCase(name))
          .findFirst()
          .orElse(null);
    }

    private void type(List<String> path, ColumnType from, DataType given) {
      if (from instanceof ColumnType.Row row && given instanceof StructType struct) {
        fields(path, row.columns(), struct);
      } else if (from instanceof ColumnType.Array array && given instanceof ArrayType list) {
        type(step(path, "element"), array.element(), list.elementType());
      } else if (from instanceof ColumnType.Map map && given instanceof MapType pairs) {
        checkFits(step(path, "key"), map.key(), pairs.keyType(), "");
        type(step(path, "value"), map.value(), pairs.valueType());
      } else if (!isSame(from, given)) {
        scalar(path, from, given);
      }
    }

    private void scalar(List<String> path, ColumnType from, DataType given) {
      DataType wider = from instanceof Scalar type ? wider(type, given) : given;
      String refusal = "";
      if (!wider.equals(SparkTypes.toSpark(from)) && !isNarrower(given, from)) {
        ColumnChange retype = new ColumnChange.Retype(path, wider);
        try {
          new SchemaEditor(schema).apply(retype);
          changes.add(retype);
          return;
        } catch (IllegalArgumentException e) {
          refusal = ". The column cannot follow: " + e.getMessage();
        }
      }
      checkFits(path, from, given, refusal);
    }

    /** Of decimals, one that holds the values of both; else what is given. */
    private static DataType wider(Scalar from, DataType given) {
      if (from.kind() == Kind.DECIMAL && given instanceof DecimalType decimal) {
        int scale = Math.max(from.scale(), decimal.scale());
        int places =
            Math.max(from.precision() - from.scale(), decimal.precision() - decimal.scale());
        return places + scale <= DecimalType.MAX_PRECISION()
            ? new DecimalType(places + scale, scale)
            : given;
      }
      return given;
    }

    private void checkFits(List<String> path, ColumnType from, DataType given, String refusal) {
      if (isSame(from, given) || isNarrower(given, from)) {
        return;
      }
      DataType type = SparkTypes.toSpark(from);
      String wrong =
          "column '%s' is %s in the table but %s in the rows to be written, which are not cast"
              .formatted(String.join(".", path), type.sql(), given.sql());
      if (!Cast.canAnsiCast(given, type)) {
        throw new IllegalArgumentException(wrong + ": there is no cast between the two" + refusal);
      } else if (!explicitCast) {
        throw new IllegalArgumentException(
            "%s unless option '%s' is true%s".formatted(wrong, EXPLICIT_CAST, refusal));
      }
    }
  }

  private static boolean isSame(ColumnType from, DataType given) {
    return DataTypeUtils.equalsIgnoreNullability(
        SparkTypes.toSpark(from), CharVarcharUtils.replaceCharVarcharWithString(given));
  }

  /** Whether every value of the rows is one of the column's type as it is. */
  private static boolean isNarrower(DataType given, ColumnType from) {
    return Cast.canUpCast(given, SparkTypes.toSpark(from));
  }

  private static List<String> step(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }
}
