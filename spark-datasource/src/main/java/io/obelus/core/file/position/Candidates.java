package io.obelus.core.file.position;

import org.roaringbitmap.RoaringBitmap;

/**
 * The rows of one data file of which a condition may be true, as far as an index can tell: any row,
 * or at most those of a set. Where the index knows for certain, the set is exactly the rows of
 * which the condition is true in SQL's three-valued logic, so that nothing needs to be checked
 * again.
 *
 * <p>Combining candidates never loses a row: what is not known stays "may". Immutable, thread-safe.
 */
public final class Candidates {

  private static final Candidates ANY = new Candidates(null, false);

  private final Positions positions; // null = any row
  private final boolean exact;

  private Candidates(Positions positions, boolean exact) {
    this.positions = positions;
    this.exact = exact;
  }

  /** Any row may fulfil the condition: the index says nothing. */
  public static Candidates any() {
    return ANY;
  }

  /** No row fulfils the condition. */
  public static Candidates none() {
    return exactly(new Positions());
  }

  /** Exactly these rows fulfil the condition; {@code positions} must not change afterwards. */
  public static Candidates exactly(Positions positions) {
    return new Candidates(positions, true);
  }

  /** Only these rows can fulfil the condition; {@code positions} must not change afterwards. */
  public static Candidates atMost(Positions positions) {
    return new Candidates(positions, positions.isEmpty());
  }

  /** Those of which both conditions may be true. */
  public Candidates and(Candidates other) {
    if (isAny() || other.isAny()) {
      Candidates known = isAny() ? other : this;
      return known.isAny() ? ANY : atMost(known.positions);
    }
    Positions both = new Positions(RoaringBitmap.and(positions.bitmap(), other.positions.bitmap()));
    return new Candidates(both, both.isEmpty() || (exact && other.exact));
  }

  /** Those of which one of the conditions may be true. */
  public Candidates or(Candidates other) {
    if (isAny() || other.isAny()) {
      return ANY;
    }
    Positions either =
        new Positions(RoaringBitmap.or(positions.bitmap(), other.positions.bitmap()));
    return new Candidates(either, exact && other.exact);
  }

  /** Whether any row may fulfil the condition; there are no {@link #positions} then. */
  public boolean isAny() {
    return positions == null;
  }

  /** Whether no row fulfils the condition. */
  public boolean isNone() {
    return positions != null && positions.isEmpty();
  }

  /** Whether the condition is true of all {@link #positions}, not only perhaps. */
  public boolean isExact() {
    return exact;
  }

  /**
   * The rows; not to be changed.
   *
   * @throws IllegalStateException if any row may fulfil the condition
   */
  public Positions positions() {
    if (isAny()) {
      throw new IllegalStateException("any row may match: there is no set of them");
    }
    return positions;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Candidates that
        && exact == that.exact
        && (isAny() ? that.isAny() : positions.equals(that.positions));
  }

  @Override
  public int hashCode() {
    return isAny() ? 0 : positions.hashCode();
  }

  @Override
  public String toString() {
    return isAny() ? "any row" : (exact ? "exactly " : "at most ") + positions;
  }
}
