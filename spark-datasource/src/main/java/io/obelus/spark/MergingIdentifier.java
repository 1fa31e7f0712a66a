package io.obelus.spark;

import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * A table that is named by a writer with option {@code write.merge-schema}. Spark hands an
 * identifier from our source to our catalog as it is, and nothing else.
 */
record MergingIdentifier(Identifier table) implements Identifier {

  @Override
  public String[] namespace() {
    return table.namespace();
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
