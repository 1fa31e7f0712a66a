package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.read.ObelusScanBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
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
  private final List<String> rowId;
  private final Function<Snapshot, DeltaWrite> write;
  private boolean pinned;
  private Snapshot base;

  /**
   * @param rowId names of the columns by which the write knows an old row
   * @param write the write of what was read from a snapshot
   */
  ObelusRowLevelOperation(
      Table table, Command command, List<String> rowId, Function<Snapshot, DeltaWrite> write) {
    this.table = table;
    this.command = command;
    this.rowId = rowId;
    this.write = write;
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
    return rowId.stream()
        .map(name -> Expressions.column("`" + name.replace("`", "``") + "`"))
        .toArray(NamedReference[]::new);
  }

  /** An update is one row with its new values. */
  @Override
  public boolean representUpdateAsDeleteAndInsert() {
    return false;
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new DeltaWriteBuilder() {
      @Override
      public DeltaWrite build() {
        return write.apply(base());
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
