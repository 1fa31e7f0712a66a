package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.read.ObelusScanBuilder;
import io.obelus.spark.write.Clustering;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A DELETE, UPDATE or MERGE: it reads one snapshot and writes what becomes of its rows.
 *
 * <p>What was read is what the write builds on: a commit in between that touches the same buckets
 * makes the statement fail instead of undoing that commit.
 */
final class ObelusRowLevelOperation implements SupportsDelta {

  private final Table table;
  private final Command command;
  private final RowIdentity identity;
  private final String refusal;
  private boolean pinned;
  private Snapshot base;

  /**
   * @param refusal why it may not be written; null if it may
   */
  ObelusRowLevelOperation(Table table, Command command, RowIdentity identity, String refusal) {
    this.table = table;
    this.command = command;
    this.identity = identity;
    this.refusal = refusal;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public String description() {
    return "obelus " + command + " " + table.name();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new ObelusScanBuilder(table, base(), options.asCaseSensitiveMap());
  }

  @Override
  public NamedReference[] rowId() {
    NamedReference[] columns = new NamedReference[identity.columns().length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Expressions.column("`" + identity.name(i).replace("`", "``") + "`");
    }
    return columns;
  }

  /** An update is one row with its new values; the writer sees to it that it keeps its key. */
  @Override
  public boolean representUpdateAsDeleteAndInsert() {
    return false;
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DeltaWriteBuilder() {
      @Override
      public DeltaWrite build() {
        if (refusal != null) {
          return new RefusedWrite(refusal);
        }
        // Row-level commands reach a table through a catalog only, so functions can be found.
        return new ObelusDeltaWrite(table, base(), Clustering.of(table, true), identity);
      }
    };
  }

  /** The snapshot that this statement is about; the newest when it is first asked for. */
  private synchronized Snapshot base() {
    if (!pinned) {
      try {
        base = table.snapshots().latest().orElse(null);
        pinned = true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return base;
  }
}
