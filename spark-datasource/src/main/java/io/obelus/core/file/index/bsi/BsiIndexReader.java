package io.obelus.core.file.index.bsi;

import io.obelus.core.file.index.bsi.BsiFormat.Content;
import io.obelus.core.file.index.bsi.Numbers.Literal;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Answers comparisons, IN and null tests exactly. Time stamps with nanoseconds, which the index
 * does not have, are answered with a few rows too many, or not at all. Not thread-safe.
 */
public final class BsiIndexReader implements IndexReader {

  private final Numbers numbers;
  private final Content content;
  private final Place place;
  private final RoaringBitmap existing; // rows that are not null

  BsiIndexReader(Numbers numbers, Content content, Place place) {
    this.numbers = numbers;
    this.content = content;
    this.place = place;
    this.existing =
        RoaringBitmap.or(content.nonNegative().existence(), content.negative().existence());
  }

  @Override
  public Candidates evaluate(Predicate leaf, boolean negated) {
    if (leaf instanceof Predicate.IsNull) {
      return Candidates.exactly(new Positions(negated ? existing : nulls()));
    } else if (leaf instanceof Predicate.Compare compare) {
      Comparison comparison = compare.comparison();
      return compare(negated ? opposite(comparison) : comparison, compare.literal());
    } else if (leaf instanceof Predicate.In in) {
      return oneOf(in.literals(), negated);
    }
    return Candidates.any();
  }

  private static Comparison opposite(Comparison comparison) {
    return switch (comparison) {
      case EQUAL -> Comparison.NOT_EQUAL;
      case NOT_EQUAL -> Comparison.EQUAL;
      case LESS -> Comparison.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL -> Comparison.GREATER;
      case GREATER -> Comparison.LESS_OR_EQUAL;
      case GREATER_OR_EQUAL -> Comparison.LESS;
    };
  }

  private Candidates compare(Comparison comparison, Object value) {
    if (comparison == Comparison.EQUAL || comparison == Comparison.NOT_EQUAL) {
      return oneOf(List.of(value), comparison == Comparison.NOT_EQUAL);
    }
    Literal literal = numbers.literal(value);
    boolean below = comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL;
    boolean orEqual =
        comparison == Comparison.LESS_OR_EQUAL || comparison == Comparison.GREATER_OR_EQUAL;
    if (numbers.areCut()) {
      orEqual = true; // what was cut off may have made the difference
    }
    RoaringBitmap rows =
        below
            ? below(literal.floor(), orEqual || !literal.exact())
            : except(below(literal.floor(), !orEqual || !literal.exact()));
    return candidates(rows);
  }

  private Candidates oneOf(List<Object> values, boolean negated) {
    if (negated && numbers.areCut()) {
      return Candidates.any();
    }
    long[] sought =
        values.stream()
            .map(numbers::literal)
            .filter(literal -> literal.exact() && literal.floor() != Numbers.NONE)
            .mapToLong(Literal::floor)
            .sorted()
            .distinct()
            .toArray();
    RoaringBitmap rows = equal(sought);
    return candidates(negated ? except(rows) : rows);
  }

  private Candidates candidates(RoaringBitmap rows) {
    Positions positions = new Positions(rows);
    return numbers.areCut() ? Candidates.atMost(positions) : Candidates.exactly(positions);
  }

  private RoaringBitmap nulls() {
    return RoaringBitmap.andNot(RoaringBitmap.bitmapOfRange(0, content.rowCount()), existing);
  }

  private RoaringBitmap except(RoaringBitmap rows) {
    return RoaringBitmap.andNot(existing, rows);
  }

  /** Rows whose number is below {@code number}, or equal to it if {@code orEqual}. */
  private RoaringBitmap below(long number, boolean orEqual) {
    if (number == Numbers.NONE) {
      return new RoaringBitmap(); // no row has it, and all have more
    } else if (number < 0) {
      return content.negative().above(-number, orEqual);
    }
    RoaringBitmap rows = content.nonNegative().below(number, orEqual);
    rows.or(content.negative().existence());
    return rows;
  }

  /** Rows whose number is one of {@code sought}, which are ascending. */
  private RoaringBitmap equal(long[] sought) {
    long[] nonNegative = Arrays.stream(sought).filter(n -> n >= 0).toArray();
    long[] negative = Arrays.stream(sought).filter(n -> n < 0).map(Math::abs).sorted().toArray();
    RoaringBitmap rows = content.nonNegative().in(nonNegative);
    rows.or(content.negative().in(negative));
    return rows;
  }

  /** Whether the index has the values as they are: not where nanoseconds are lost. */
  public boolean keepsValues() {
    return !numbers.areCut();
  }

  /**
   * The smallest value among {@code rows} as Spark keeps it, of a time stamp in whole microseconds;
   * null if there is none that is not null.
   */
  public Object min(Positions rows) {
    return extreme(rows, false);
  }

  /** As {@link #min}, the largest value. */
  public Object max(Positions rows) {
    return extreme(rows, true);
  }

  private Object extreme(Positions rows, boolean largest) {
    Slices first = largest ? content.nonNegative() : content.negative();
    Slices second = largest ? content.negative() : content.nonNegative();
    RoaringBitmap inFirst = RoaringBitmap.and(rows.bitmap(), first.existence());
    if (!inFirst.isEmpty()) { // the larger the absolute value, the further out
      return value(largest ? first.largest(inFirst) : -first.largest(inFirst));
    }
    RoaringBitmap inSecond = RoaringBitmap.and(rows.bitmap(), second.existence());
    if (inSecond.isEmpty()) {
      return null;
    }
    return value(largest ? -second.smallest(inSecond) : second.smallest(inSecond));
  }

  private Object value(long number) {
    Object value = numbers.value(number);
    if (value == null) {
      throw new CorruptFileException(
          place, "bsi index has the number %d, which its column cannot hold".formatted(number));
    }
    return value;
  }
}
