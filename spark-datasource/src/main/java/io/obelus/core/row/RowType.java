package io.obelus.core.row;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;

/** Columns of a row, in order; their names differ. */
public record RowType(List<Column> columns) implements Serializable {

  public static final RowType EMPTY = new RowType(List.of());

  public RowType {
    columns = List.copyOf(columns);
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      if (!names.add(column.name())) {
        throw new IllegalArgumentException("column '" + column.name() + "' is there twice");
      }
    }
  }

  public int size() {
    return columns.size();
  }

  public Column column(int index) {
    return columns.get(index);
  }

  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /** Index of the column of this name, in this case, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Index of the column with this field id, or -1. */
  public int indexOfId(int id) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Indexes of the columns of these names; IllegalArgumentException names one that is not there.
   */
  public int[] indexesOf(List<String> names) {
    int[] indexes = new int[names.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = indexOf(names.get(i));
      if (indexes[i] < 0) {
        throw new IllegalArgumentException(
            "column '" + names.get(i) + "' is not there; the columns are " + names());
      }
    }
    return indexes;
  }

  /** The columns of these names, in the order of the names. */
  public RowType project(List<String> names) {
    List<Column> projected = new ArrayList<>();
    for (int index : indexesOf(names)) {
      projected.add(columns.get(index));
    }
    return new RowType(projected);
  }

  /** Largest field id in here, nested fields included; -1 if there is no column. */
  public int highestId() {
    return highestId(columns);
  }

  private static int highestId(List<Column> columns) {
    int highest = -1;
    for (Column column : columns) {
      highest = Math.max(highest, Math.max(column.id(), highestIdInside(column.type())));
    }
    return highest;
  }

  private static int highestIdInside(ColumnType type) {
    if (type instanceof ColumnType.Row row) {
      return highestId(row.columns());
    } else if (type instanceof ColumnType.Array array) {
      return highestIdInside(array.element());
    } else if (type instanceof ColumnType.Multiset multiset) {
      return highestIdInside(multiset.element());
    } else if (type instanceof ColumnType.Map map) {
      return Math.max(highestIdInside(map.key()), highestIdInside(map.value()));
    }
    return -1;
  }

  /** The same row in Spark's terms. */
  public StructType toSpark() {
    return SparkTypes.toSpark(this);
  }
}
