package io.obelus.testing;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Draws conditions over a row of many types, and rows of it, from so few values that conditions are
 * often true.
 */
public final class RandomPredicates {

  /** A column of each type, named after it. */
  public static final RowType TYPE =
      type(
          "BOOLEAN",
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DECIMAL(10, 2)",
          "DECIMAL(30, 3)",
          "STRING",
          "BYTES",
          "DATE",
          "TIMESTAMP(6)",
          "TIMESTAMP(3) WITH LOCAL TIME ZONE");

  private static final String[] TEXTS = {
    "", "a", "aa", "ab", "abc", "ac", "b", "bcd", "\uffff", "😀", "😀a"
  };
  private static final double[] REALS = {
    Double.NEGATIVE_INFINITY, -1, -0.0, 0.0, 0.5, 1, 2, Double.POSITIVE_INFINITY, Double.NaN
  };

  private RandomPredicates() {}

  private static RowType type(String... types) {
    List<Column> columns = new ArrayList<>();
    for (String type : types) {
      columns.add(new Column(columns.size(), type, ColumnTypes.parse(type)));
    }
    return new RowType(columns);
  }

  /** Where the literals of conditions come from. */
  @FunctionalInterface
  public interface Literals {
    /** A value of the column's type that is not null, as Spark keeps it. */
    Object draw(Random random, Column column);
  }

  /** A condition over columns of {@code type}, up to {@code depth} ANDs, ORs and NOTs deep. */
  public static Predicate predicate(Random random, RowType type, int depth) {
    return predicate(random, type, depth, (r, column) -> value(r, column.type()));
  }

  /** As the other form, with literals of the caller's; columns have no parts. */
  public static Predicate predicate(Random random, RowType type, int depth, Literals literals) {
    return switch (depth == 0 ? 9 : random.nextInt(10)) {
      case 0, 1 -> new Predicate.And(predicates(random, type, depth - 1, literals));
      case 2, 3 -> new Predicate.Or(predicates(random, type, depth - 1, literals));
      case 4, 5, 6 -> new Predicate.Not(predicate(random, type, depth - 1, literals));
      case 7 -> new Predicate.Constant(random.nextBoolean());
      default -> leaf(random, type.column(random.nextInt(type.size())), literals);
    };
  }

  private static List<Predicate> predicates(
      Random random, RowType type, int depth, Literals literals) {
    List<Predicate> parts = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      parts.add(predicate(random, type, depth, literals));
    }
    return parts;
  }

  private static Predicate leaf(Random random, Column column, Literals literals) {
    Predicate.Comparison[] comparisons = Predicate.Comparison.values();
    switch (random.nextInt(8)) {
      case 0:
        return new Predicate.IsNull(column);
      case 1:
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(literals.draw(random, column));
        }
        return new Predicate.In(column, list);
      case 2, 3:
        Object prefix = literals.draw(random, column);
        if (prefix instanceof UTF8String text) {
          return new Predicate.StartsWith(column, text);
        }
      // fall through: no text
      default:
        return new Predicate.Compare(
            column, comparisons[random.nextInt(comparisons.length)], literals.draw(random, column));
    }
  }

  /** A row of {@code type}; each column is null in one of {@code nullEvery} rows. */
  public static InternalRow row(Random random, RowType type, int nullEvery) {
    Object[] values = new Object[type.size()];
    for (int i = 0; i < values.length; i++) {
      if (random.nextInt(nullEvery) > 0) {
        values[i] = value(random, type.column(i).type());
      }
    }
    return new GenericInternalRow(values);
  }

  /** One of a few values of the type. */
  public static Object value(Random random, ColumnType type) {
    ColumnType.Scalar scalar = (ColumnType.Scalar) type;
    int small = random.nextInt(7) - 3;
    boolean edge = random.nextInt(10) == 0;
    return switch (scalar.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> edge ? (byte) (small > 0 ? 127 : -128) : (byte) small;
      case SMALLINT -> (short) (edge ? 100 * small : small);
      case INT -> edge ? 20_000 * small : small;
      case DATE, TIME -> small;
      case BIGINT -> edge ? 1_500_000_000L * small : small;
      case FLOAT -> (float) REALS[random.nextInt(REALS.length)];
      case DOUBLE -> REALS[random.nextInt(REALS.length)];
      case DECIMAL ->
          Decimal.apply(
              BigDecimal.valueOf(small, scalar.scale()), scalar.precision(), scalar.scale());
      case CHAR, VARCHAR -> UTF8String.fromString(TEXTS[random.nextInt(TEXTS.length)]);
      case BINARY, VARBINARY -> new byte[] {(byte) (40 * small), (byte) small};
      case TIMESTAMP, TIMESTAMP_LTZ -> 1000L * small;
      case VARIANT -> throw new IllegalArgumentException("no VARIANT in Spark 3.5");
    };
  }
}
