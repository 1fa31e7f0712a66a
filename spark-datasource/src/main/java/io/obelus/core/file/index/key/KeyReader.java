package io.obelus.core.file.index.key;

import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Compare;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.Predicate.In;
import io.obelus.core.row.Predicate.IsNull;
import io.obelus.core.row.Predicate.StartsWith;
import java.io.IOException;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Answers conditions by the keys that they ask for. A leaf is unknown of null rows only, so that
 * the rows of which it is false are those that are neither null nor found.
 */
public abstract class KeyReader<K extends Comparable<K>> implements IndexReader {

  private final KeyCoding<K> coding;
  private final long rowCount;

  protected KeyReader(KeyCoding<K> coding, long rowCount) {
    this.coding = coding;
    this.rowCount = rowCount;
  }

  protected final KeyCoding<K> coding() {
    return coding;
  }

  protected final long rowCount() {
    return rowCount;
  }

  /** The null rows; the caller changes nothing. */
  protected abstract Positions nulls() throws IOException;

  /** Whether {@link #rows} takes more than single keys. */
  protected abstract boolean answersRanges();

  /** The rows whose key is in one of the intervals, for the caller to keep. */
  protected abstract Positions rows(List<KeyInterval<K>> intervals) throws IOException;

  @Override
  public final Candidates evaluate(Predicate leaf, boolean negated) throws IOException {
    if (leaf instanceof IsNull) {
      return Candidates.exactly(negated ? without(nulls(), all()) : nulls());
    } else if (leaf instanceof Compare compare && compare.comparison() == Comparison.NOT_EQUAL) {
      return evaluate(new Compare(compare.column(), Comparison.EQUAL, compare.literal()), !negated);
    } else if (!canTell(leaf, negated)) {
      return Candidates.any();
    }
    Positions found = rows(coding.intervals(leaf));
    if (negated) {
      found = without(nulls(), without(found, all()));
    }
    return coding.isExact() ? Candidates.exactly(found) : Candidates.atMost(found);
  }

  /** Where keys have lost digits, equal keys do not prove equal values, nor do others an order. */
  private boolean canTell(Predicate leaf, boolean negated) {
    boolean equality =
        leaf instanceof In
            || (leaf instanceof Compare compare && compare.comparison() == Comparison.EQUAL);
    if (!coding.isExact() && (negated || !equality)) {
      return false;
    } else if (leaf instanceof StartsWith && coding.fixedSize() > 0) {
      return false;
    }
    return equality || answersRanges();
  }

  private Positions all() {
    return Positions.range(0, rowCount);
  }

  private static Positions without(Positions some, Positions all) {
    return new Positions(RoaringBitmap.andNot(all.bitmap(), some.bitmap()));
  }
}
