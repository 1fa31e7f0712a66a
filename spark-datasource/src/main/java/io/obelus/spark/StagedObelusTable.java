package io.obelus.spark;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/**
 * The table of a CREATE or REPLACE … AS SELECT between its start and its end. It is made when the
 * first write asks for it, because only there the options of {@code df.write.option(…)} are seen.
 */
final class StagedObelusTable implements StagedTable, SupportsWrite {

  /** Where a staged table is made, and what becomes of it. */
  interface Stage {
    /** Makes the table. */
    ObelusTable make(TableDefinition definition);

    /** Puts it in its place. */
    void publish();

    /** Takes back what {@link #make} did. */
    void discard();
  }

  private final String name;
  private final TableDefinition definition;
  private final Stage stage;
  private ObelusTable made;

  StagedObelusTable(String name, TableDefinition definition, Stage stage) {
    this.name = name;
    this.definition = definition;
    this.stage = stage;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  @SuppressWarnings("deprecation")
  public StructType schema() {
    return definition.columns();
  }

  @Override
  public Transform[] partitioning() {
    return TableDefinition.identities(definition.partitionKeys());
  }

  @Override
  public Map<String, String> properties() {
    return definition.options();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return made(info.options().asCaseSensitiveMap()).newWriteBuilder(info);
  }

  private synchronized ObelusTable made(Map<String, String> writeOptions) {
    if (made == null) {
      made = stage.make(definition.with(writeOptions)).merging();
    }
    return made;
  }

  @Override
  public void commitStagedChanges() {
    made(Map.of());
    stage.publish();
  }

  @Override
  public synchronized void abortStagedChanges() {
    if (made != null) {
      stage.discard();
    }
  }
}
