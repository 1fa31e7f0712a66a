package io.obelus.spark.write;

import io.obelus.spark.expression.BucketNumber;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;

/**
 * The functions by which Spark spreads the rows of a write over tasks, and by which it knows where
 * the rows of a scan are. A catalog of ours asks here in {@code loadFunction}, at the empty
 * namespace, before it looks anywhere else.
 */
public final class ObelusFunctions {

  private ObelusFunctions() {}

  /** The function of this name; empty if the name is none of ours. */
  public static Optional<UnboundFunction> find(String name) {
    Optional<UnboundFunction> slot = Optional.ofNullable(Slots.named(name)).map(SlotFunction::new);
    return slot.isPresent() ? slot : BucketNumber.named(name);
  }
}
