package io.obelus.core.table.scan;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.RowType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * What a scan returns instead of rows: for each value of a column, numbers that sum the rows up. A
 * value may come more than once; whoever asks adds the numbers up.
 *
 * @param group column whose values tell the groups apart; null = all rows are one group
 * @param parts at least one
 */
public record Aggregates(Column group, List<Part> parts) implements Serializable {

  /** How rows become one value. */
  public enum Function {
    /** Number of rows: a BIGINT. */
    COUNT_ROWS,
    /** Number of rows in which the column is not null: a BIGINT. */
    COUNT,
    /** Smallest value of the column that is not null, or null. */
    MIN,
    /** Largest value of the column that is not null, or null. */
    MAX
  }

  /**
   * One of the numbers.
   *
   * @param column null for {@link Function#COUNT_ROWS}
   */
  public record Part(Function function, Column column) implements Serializable {
    /** Whether it is a value of the column, not a number of rows. */
    public boolean isExtreme() {
      return function == Function.MIN || function == Function.MAX;
    }
  }

  public Aggregates {
    parts = List.copyOf(parts);
  }

  /** The aggregates of no rows at all; without groups. */
  GenericInternalRow ofNoRows() {
    return new GenericInternalRow(
        parts.stream().map(part -> part.isExtreme() ? null : (Object) 0L).toArray());
  }

  /**
   * Whether equal values of the group are equal objects: not of floating point numbers, of which
   * Spark takes -0.0 for 0.0, nor of arrays of bytes.
   */
  public boolean comparesGroups() {
    return group == null
        || group.type() instanceof ColumnType.Scalar type
            && switch (type.kind()) {
              case FLOAT, DOUBLE, BINARY, VARBINARY, VARIANT -> false;
              default -> true;
            };
  }

  /** The columns that must be known of each row, each once; the group's first. */
  RowType columns() {
    List<Column> columns = new ArrayList<>();
    if (group != null) {
      columns.add(group);
    }
    for (Part part : parts) {
      if (part.column() != null && !columns.contains(part.column())) {
        columns.add(part.column());
      }
    }
    return new RowType(columns);
  }
}
