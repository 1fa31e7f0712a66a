package io.obelus.spark.rowlevel;

import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.write.Clustering;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.write.RowLevelOperation;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;

/** Builds the operation behind one DELETE, UPDATE or MERGE. */
public final class ObelusRowLevelOperationBuilder implements RowLevelOperationBuilder {

  private final Table table;
  private final RowLevelOperationInfo info;

  public ObelusRowLevelOperationBuilder(Table table, RowLevelOperationInfo info) {
    this.table = table;
    this.info = info;
  }

  /**
   * The operation.
   *
   * <p>A DELETE that the table cannot have is refused only when it is to be written: Spark may find
   * until then that its condition takes whole partitions, and that metadata can do it.
   *
   * @throws IllegalArgumentException if the table cannot have it; the message says why
   */
  @Override
  public RowLevelOperation build() {
    table.options().checkWritable();
    Command command = info.command();
    Optional<String> refusal =
        nameOfSpark()
            .or(() -> keyed() ? RowIdentity.refusal(table, command) : RowPlace.refusal(table))
            .map(why -> table.name() + ": " + command + " is not possible on this table: " + why);
    if (refusal.isPresent()) {
      return refused(command, refusal.get());
    }
    // Row-level commands reach a table through a catalog only, so functions can be found.
    Clustering clustering = Clustering.of(table, true);
    if (keyed()) {
      RowIdentity identity = RowIdentity.of(table);
      return new ObelusRowLevelOperation(
          table,
          command,
          identity.names(),
          base -> ObelusDeltaWrite.byKey(table, base, clustering, identity));
    }
    return new ObelusRowLevelOperation(
        table,
        command,
        RowPlace.COLUMNS,
        base -> ObelusDeltaWrite.byPlace(table, base, clustering, command));
  }

  private boolean keyed() {
    return table.schema().keyed();
  }

  private Optional<String> nameOfSpark() {
    return table.schema().rowType().names().stream()
        .filter(OperationColumns::have)
        .map(
            name ->
                "its column '"
                    + name
                    + "' has a name that Spark needs for itself; rename it with ALTER TABLE …"
                    + " RENAME COLUMN")
        .findFirst();
  }

  private RowLevelOperation refused(Command command, String reason) {
    if (command != Command.DELETE) {
      throw new IllegalArgumentException(reason);
    }
    return new ObelusRowLevelOperation(table, command, List.of(), base -> new RefusedWrite(reason));
  }
}
