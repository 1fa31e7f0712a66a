package io.obelus.spark.read;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.MetadataColumns;
import io.obelus.core.table.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** From the columns that Spark asks for to the columns that are read. */
final class ReadColumns {

  private ReadColumns() {}

  /**
   * The required columns, in their order: the table's own, nested rows narrowed to the required
   * fields, and those of {@link MetadataColumns}. A table's column hides a metadata column of its
   * name.
   */
  static RowType of(TableSchema schema, StructType required) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : required.fields()) {
      Column column = named(schema, field.name());
      columns.add(mayNarrow(schema) ? narrowed(column, field.dataType()) : column);
    }
    return new RowType(columns);
  }

  private static Column named(TableSchema schema, String name) {
    int index = schema.rowType().indexOf(name);
    if (index >= 0) {
      return schema.rowType().column(index);
    }
    return MetadataColumns.ALL.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "column '"
                        + name
                        + "' is not there; the columns are "
                        + schema.rowType().names()));
  }

  /**
   * Only while every file has every field. A file that was written before {@code r.y} was added
   * could not tell, from {@code r.y} alone, a row without {@code y} from no row at all.
   */
  private static boolean mayNarrow(TableSchema schema) {
    return schema.id() == 0;
  }

  private static Column narrowed(Column column, DataType required) {
    return column.typed(narrowed(column.type(), required));
  }

  private static ColumnType narrowed(ColumnType type, DataType required) {
    if (type instanceof ColumnType.Row row && required instanceof StructType struct) {
      RowType all = new RowType(row.columns());
      List<Column> kept = new ArrayList<>();
      for (StructField field : struct.fields()) {
        kept.add(narrowed(all.column(all.indexOf(field.name())), field.dataType()));
      }
      return new ColumnType.Row(kept, row.nullable());
    } else if (type instanceof ColumnType.Array array && required instanceof ArrayType wanted) {
      return new ColumnType.Array(
          narrowed(array.element(), wanted.elementType()), array.nullable());
    } else if (type instanceof ColumnType.Map map && required instanceof MapType wanted) {
      return new ColumnType.Map(
          map.key(), narrowed(map.value(), wanted.valueType()), map.nullable());
    }
    return type;
  }
}
