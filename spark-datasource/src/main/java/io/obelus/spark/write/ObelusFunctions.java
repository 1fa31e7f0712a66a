package io.obelus.spark.write;

import java.util.Optional;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;

/**
 * The functions by which Spark spreads the rows of a write over tasks. A catalog of ours asks here
 * in {@code loadFunction}, at the empty namespace, before it looks anywhere else.
 */
public final class ObelusFunctions {

  private ObelusFunctions() {}

  /** The function of this name; empty if the name is none of ours. */
  public static Optional<UnboundFunction> find(String name) {
    return Optional.ofNullable(Slots.named(name)).map(SlotFunction::new);
  }
}
