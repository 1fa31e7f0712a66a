package io.obelus.spark.plan;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import scala.runtime.AbstractPartialFunction;

/** What Spark's {@code transform} takes: another node for each of those that are meant. */
final class Replacement<T> extends AbstractPartialFunction<T, T> {

  private final Predicate<T> meant;
  private final UnaryOperator<T> by;

  Replacement(Predicate<T> meant, UnaryOperator<T> by) {
    this.meant = meant;
    this.by = by;
  }

  @Override
  public boolean isDefinedAt(T node) {
    return meant.test(node);
  }

  @Override
  public T apply(T node) {
    return by.apply(node);
  }
}
