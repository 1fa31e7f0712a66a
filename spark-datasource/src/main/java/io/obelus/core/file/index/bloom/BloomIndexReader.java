package io.obelus.core.file.index.bloom;

import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.position.Candidates;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import java.io.IOException;
import java.util.List;

/** Answers = and IN: no row, or any row. Knows nothing of other conditions. Not thread-safe. */
final class BloomIndexReader implements IndexReader {

  /** From here on a large filter is read as a whole. */
  private static final int MANY_LITERALS = 8;

  private final ValueHash hash;
  private final BloomFormat.Filter filter;

  BloomIndexReader(ValueHash hash, BloomFormat.Filter filter) {
    this.hash = hash;
    this.filter = filter;
  }

  @Override
  public Candidates evaluate(Predicate leaf, boolean negated) throws IOException {
    if (leaf instanceof Predicate.Compare compare) {
      Comparison equality = negated ? Comparison.NOT_EQUAL : Comparison.EQUAL;
      if (compare.comparison() == equality) {
        return oneOf(List.of(compare.literal()));
      }
    } else if (leaf instanceof Predicate.In in && !negated) {
      return oneOf(in.literals());
    }
    return Candidates.any();
  }

  private Candidates oneOf(List<Object> literals) throws IOException {
    if (literals.size() >= MANY_LITERALS) {
      filter.readWhole();
    }
    for (Object literal : literals) {
      for (long one : hash.ofLiteral(literal)) {
        if (filter.mayContain(one)) {
          return Candidates.any();
        }
      }
    }
    return Candidates.none();
  }
}
