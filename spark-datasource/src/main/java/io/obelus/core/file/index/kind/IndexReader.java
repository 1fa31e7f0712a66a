package io.obelus.core.file.index.kind;

import io.obelus.core.file.position.Candidates;
import io.obelus.core.row.Predicate;
import java.io.IOException;

/** Answers conditions on one column of one data file. Not thread-safe. */
public interface IndexReader {

  /**
   * The rows of which the leaf may be true or, if negated, may be false. A null row is in neither
   * set, except that {@link Predicate.IsNull} is true of it. Zero has one value: {@code -0.0}
   * equals {@code 0.0}; NaN equals NaN and is above all.
   *
   * @param leaf a Compare, In, IsNull or StartsWith on this column, in the terms of the file's
   *     schema: literals are Spark's internal values of the column's type
   * @return {@link Candidates#any} where this kind of index cannot tell
   */
  Candidates evaluate(Predicate leaf, boolean negated) throws IOException;
}
