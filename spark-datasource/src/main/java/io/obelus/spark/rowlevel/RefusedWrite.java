package io.obelus.spark.rowlevel;

import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;

/**
 * The write of a statement that the table cannot have: it fails when it is started, if Spark has
 * not found another way by then.
 */
record RefusedWrite(String reason) implements DeltaWrite {

  @Override
  public DeltaBatchWrite toBatch() {
    throw new IllegalArgumentException(reason);
  }
}
