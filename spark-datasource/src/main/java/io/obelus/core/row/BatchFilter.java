package io.obelus.core.row;

import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Constant;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.Not;
import io.obelus.core.row.Predicate.StartsWith;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Tells the rows of column batches of which a condition is true, column by column; agrees with
 * {@link Predicates#test}. Not thread-safe: it keeps room for one batch.
 */
public final class BatchFilter {

  private final Step whole;

  private BatchFilter(Step whole) {
    this.whole = whole;
  }

  /**
   * A filter for batches with these columns; IllegalArgumentException names a column of the
   * condition that they lack.
   */
  public static BatchFilter of(Predicate condition, RowType columns) {
    return new BatchFilter(step(condition, false, columns));
  }

  /**
   * Moves the rows of which the condition is true to the front.
   *
   * @param rows rows of the batch, ascending; those kept stay so
   * @param count how many of {@code rows} count
   * @return how many are kept
   */
  public int keep(ColumnarBatch batch, int[] rows, int count) {
    return whole.keep(batch, rows, count);
  }

  /** A part of the condition. */
  private interface Step {
    int keep(ColumnarBatch batch, int[] rows, int count);
  }

  private static Step step(Predicate condition, boolean negated, RowType columns) {
    if (condition instanceof Constant constant) {
      boolean all = constant.value() != negated;
      return (batch, rows, count) -> all ? count : 0;
    } else if (condition instanceof Not not) {
      return step(not.part(), !negated, columns);
    } else if (condition instanceof Predicate.And and) {
      List<Step> steps = steps(and.parts(), negated, columns);
      return negated ? new Any(steps) : new All(steps);
    } else if (condition instanceof Predicate.Or or) {
      List<Step> steps = steps(or.parts(), negated, columns);
      return negated ? new All(steps) : new Any(steps);
    }
    return leaf(condition, negated, columns);
  }

  private static List<Step> steps(List<Predicate> parts, boolean negated, RowType columns) {
    return parts.stream().map(part -> step(part, negated, columns)).toList();
  }

  private static Step leaf(Predicate leaf, boolean negated, RowType columns) {
    Column column = Predicates.column(leaf);
    int index = columns.indexOfId(column.id());
    if (index < 0) {
      throw new IllegalArgumentException(
          "column '" + column.name() + "' is not there; the columns are " + columns.names());
    }
    if (leaf instanceof IsNull) {
      return new Nulls(index, !negated);
    } else if (leaf instanceof StartsWith startsWith) {
      return new Texts(index, text -> text.startsWith(startsWith.prefix()), negated);
    }
    SortableLongs longs = SortableLongs.of(columns.column(index).type());
    if (longs != null && leaf instanceof Compare compare && longs.takes(compare.literal())) {
      return range(index, longs, compare, negated);
    } else if (longs != null
        && leaf instanceof In in
        && in.literals().stream().allMatch(longs::takes)) {
      return new LongIsIn(index, longs, in, negated);
    } else if (isText(columns.column(index).type()) && leaf instanceof In in) {
      Set<Object> texts = new HashSet<>(in.literals());
      return new Texts(index, texts::contains, negated);
    } else if (isText(columns.column(index).type()) && leaf instanceof Compare compare) {
      return text(index, compare, (UTF8String) compare.literal(), negated);
    }
    return new RowByRow(negated ? new Not(leaf) : leaf, columns);
  }

  private static boolean isText(ColumnType type) {
    return type instanceof Scalar scalar
        && (scalar.kind() == Kind.CHAR || scalar.kind() == Kind.VARCHAR);
  }

  private static Step text(int index, Compare compare, UTF8String literal, boolean negated) {
    return switch (compare.comparison()) {
      case EQUAL -> new Texts(index, literal::equals, negated);
      case NOT_EQUAL -> new Texts(index, literal::equals, !negated);
      default ->
          new Texts(
              index,
              text -> Predicates.holds(compare.comparison(), text.compareTo(literal)),
              negated);
    };
  }

  private static Step range(int index, SortableLongs longs, Compare compare, boolean negated) {
    long literal = longs.of(compare.literal());
    boolean hasBelow = literal > Long.MIN_VALUE;
    boolean hasAbove = literal < Long.MAX_VALUE;
    return switch (compare.comparison()) {
      case EQUAL -> new LongIsBetween(index, longs, literal, literal, negated);
      case NOT_EQUAL -> new LongIsBetween(index, longs, literal, literal, !negated);
      case LESS ->
          hasBelow
              ? new LongIsBetween(index, longs, Long.MIN_VALUE, literal - 1, negated)
              : new LongIsBetween(index, longs, Long.MIN_VALUE, Long.MAX_VALUE, !negated);
      case LESS_OR_EQUAL -> new LongIsBetween(index, longs, Long.MIN_VALUE, literal, negated);
      case GREATER ->
          hasAbove
              ? new LongIsBetween(index, longs, literal + 1, Long.MAX_VALUE, negated)
              : new LongIsBetween(index, longs, Long.MIN_VALUE, Long.MAX_VALUE, !negated);
      case GREATER_OR_EQUAL -> new LongIsBetween(index, longs, literal, Long.MAX_VALUE, negated);
    };
  }

  /** All parts are true. */
  private record All(List<Step> steps) implements Step {
    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      int kept = count;
      for (int i = 0; i < steps.size() && kept > 0; i++) {
        kept = steps.get(i).keep(batch, rows, kept);
      }
      return kept;
    }
  }

  /** One of the parts is true: each is asked of the rows that those before it left. */
  private static final class Any implements Step {
    private final List<Step> steps;
    private int[] left = {};
    private int[] asked = {};
    private boolean[] isTrue = {};

    Any(List<Step> steps) {
      this.steps = steps;
    }

    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      grow(batch.numRows());
      System.arraycopy(rows, 0, left, 0, count);
      int remaining = count;
      for (int i = 0; i < steps.size() && remaining > 0; i++) {
        System.arraycopy(left, 0, asked, 0, remaining);
        int found = steps.get(i).keep(batch, asked, remaining);
        for (int j = 0; j < found; j++) {
          isTrue[asked[j]] = true;
        }
        remaining = withoutTrue(remaining);
      }
      int kept = 0;
      for (int j = 0; j < count; j++) {
        if (isTrue[rows[j]]) {
          isTrue[rows[j]] = false;
          rows[kept++] = rows[j];
        }
      }
      return kept;
    }

    private int withoutTrue(int remaining) {
      int kept = 0;
      for (int j = 0; j < remaining; j++) {
        if (!isTrue[left[j]]) {
          left[kept++] = left[j];
        }
      }
      return kept;
    }

    private void grow(int rows) {
      if (isTrue.length < rows) {
        left = new int[rows];
        asked = new int[rows];
        isTrue = new boolean[rows];
      }
    }
  }

  private record Nulls(int column, boolean wanted) implements Step {
    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      ColumnVector vector = batch.column(column);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (vector.isNullAt(rows[i]) == wanted) {
          rows[kept++] = rows[i];
        }
      }
      return kept;
    }
  }

  private record LongIsBetween(
      int column, SortableLongs longs, long least, long most, boolean negated) implements Step {
    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      ColumnVector vector = batch.column(column);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        if (!vector.isNullAt(row)) {
          long value = longs.at(vector, row);
          if ((value >= least && value <= most) != negated) {
            rows[kept++] = row;
          }
        }
      }
      return kept;
    }
  }

  private static final class LongIsIn implements Step {
    private final int column;
    private final SortableLongs longs;
    private final long[] literals; // ascending
    private final boolean negated;

    LongIsIn(int column, SortableLongs longs, In in, boolean negated) {
      this.column = column;
      this.longs = longs;
      this.literals = in.literals().stream().mapToLong(longs::of).sorted().toArray();
      this.negated = negated;
    }

    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      ColumnVector vector = batch.column(column);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        if (!vector.isNullAt(row)
            && Arrays.binarySearch(literals, longs.at(vector, row)) >= 0 != negated) {
          rows[kept++] = row;
        }
      }
      return kept;
    }
  }

  private record Texts(int column, java.util.function.Predicate<UTF8String> test, boolean negated)
      implements Step {
    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      ColumnVector vector = batch.column(column);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        if (!vector.isNullAt(row) && test.test(vector.getUTF8String(row)) != negated) {
          rows[kept++] = row;
        }
      }
      return kept;
    }
  }

  /** Types without a form of their own: binary, wide decimals. */
  private record RowByRow(Predicate leaf, RowType columns) implements Step {
    @Override
    public int keep(ColumnarBatch batch, int[] rows, int count) {
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (Predicates.test(leaf, batch.getRow(rows[i]), columns) == Truth.TRUE) {
          rows[kept++] = rows[i];
        }
      }
      return kept;
    }
  }
}
