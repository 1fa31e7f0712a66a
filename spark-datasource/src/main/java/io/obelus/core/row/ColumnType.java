package io.obelus.core.row;

import java.io.Serializable;
import java.util.List;

/**
 * Type of a column as the table's schema keeps it (spec chapter 02). It knows more than Spark's:
 * the length of a text, the precision of a time stamp, the field ids of a nested row. Values of it
 * are Spark's own; {@link SparkTypes} says which Spark type they have.
 */
public sealed interface ColumnType extends Serializable {

  /** Whether a value may be null. */
  boolean nullable();

  /** The same type, nullable or not. */
  ColumnType withNullable(boolean nullable);

  /** The words of types without parts. */
  enum Kind {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INT,
    BIGINT,
    FLOAT,
    DOUBLE,
    DECIMAL,
    CHAR,
    VARCHAR,
    BINARY,
    VARBINARY,
    DATE,
    TIME,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    VARIANT
  }

  /**
   * A type without parts.
   *
   * @param precision length of CHAR, VARCHAR, BINARY, VARBINARY (2^31-1 for STRING and BYTES);
   *     precision of DECIMAL, TIME, TIMESTAMP, TIMESTAMP_LTZ; 0 for the others
   * @param scale of DECIMAL; 0 for the others
   */
  record Scalar(Kind kind, int precision, int scale, boolean nullable) implements ColumnType {
    public Scalar(Kind kind) {
      this(kind, 0, 0, true);
    }

    @Override
    public Scalar withNullable(boolean other) {
      return new Scalar(kind, precision, scale, other);
    }
  }

  /** A list. */
  record Array(ColumnType element, boolean nullable) implements ColumnType {
    @Override
    public Array withNullable(boolean other) {
      return new Array(element, other);
    }
  }

  /** A bag: in Spark's terms a map from element to count. */
  record Multiset(ColumnType element, boolean nullable) implements ColumnType {
    @Override
    public Multiset withNullable(boolean other) {
      return new Multiset(element, other);
    }
  }

  /** A map; keys are never null. */
  record Map(ColumnType key, ColumnType value, boolean nullable) implements ColumnType {
    @Override
    public Map withNullable(boolean other) {
      return new Map(key, value, other);
    }
  }

  /** A nested row. */
  record Row(List<Column> columns, boolean nullable) implements ColumnType {
    public Row {
      columns = List.copyOf(columns);
    }

    @Override
    public Row withNullable(boolean other) {
      return new Row(columns, other);
    }
  }

  int MAX_LENGTH = Integer.MAX_VALUE;

  /** The text type without a limit. */
  static Scalar string() {
    return new Scalar(Kind.VARCHAR, MAX_LENGTH, 0, true);
  }
}
