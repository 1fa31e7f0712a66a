package io.obelus.spark;

import io.obelus.core.row.RowType;
import io.obelus.core.table.inspect.TableSummary;
import io.obelus.core.table.scan.MetadataColumns;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.BranchOption;
import io.obelus.spark.option.ReadSettings;
import io.obelus.spark.option.ScanPosition;
import io.obelus.spark.option.ScanRange;
import io.obelus.spark.option.SchemaMergeOption;
import io.obelus.spark.read.DifferenceScanBuilder;
import io.obelus.spark.read.ObelusScanBuilder;
import io.obelus.spark.rowlevel.MetadataDelete;
import io.obelus.spark.rowlevel.ObelusRowLevelOperationBuilder;
import io.obelus.spark.rowlevel.TablePartitions;
import io.obelus.spark.write.ObelusWriteBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsAtomicPartitionManagement;
import org.apache.spark.sql.connector.catalog.SupportsDeleteV2;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table as Spark sees it: at its newest snapshot, or fixed to an earlier one and then only to be
 * read.
 *
 * <p>All scans of this object within one execution read the same snapshot, so both sides of a
 * self-join do; the next execution looks for the newest again. Thread-safe.
 */
public final class ObelusTable
    implements SupportsRead,
        SupportsWrite,
        SupportsDeleteV2,
        SupportsMetadataColumns,
        SupportsRowLevelOperations,
        SupportsAtomicPartitionManagement {

  /** Who asks for properties in DESCRIBE TABLE EXTENDED. */
  private static final String DESCRIBE =
      "org.apache.spark.sql.execution.datasources.v2.DescribeTableExec";

  private static final String EXECUTION = "spark.sql.execution.id";

  private final Table table;
  private final Snapshot fixed;
  private final boolean hasFunctionCatalog;
  private final boolean readOptimized;
  private final boolean merging;
  private Pin pin;
  private State state;

  /**
   * The snapshot that an execution reads.
   *
   * @param execution null outside of any, as when a plan is only explained
   */
  private record Pin(String execution, Optional<Snapshot> snapshot) {}

  /**
   * What there is to say of a snapshot.
   *
   * @param snapshot null if the table has none
   */
  private record State(Snapshot snapshot, TableSummary summary) {}

  private ObelusTable(
      Table table,
      Snapshot fixed,
      boolean hasFunctionCatalog,
      boolean readOptimized,
      boolean merging) {
    this.table = table;
    this.fixed = fixed;
    this.hasFunctionCatalog = hasFunctionCatalog;
    this.readOptimized = readOptimized;
    this.merging = merging;
  }

  /**
   * The table at its newest snapshot.
   *
   * @param hasFunctionCatalog whether it was loaded through one of our catalogs
   */
  public static ObelusTable latest(Table table, boolean hasFunctionCatalog) {
    return new ObelusTable(table, null, hasFunctionCatalog, false, false);
  }

  /** The table as it was at a snapshot, with the schema of that time. */
  static ObelusTable at(Table table, Snapshot snapshot) {
    return new ObelusTable(table.atSchema(snapshot.schemaId()), snapshot, true, false, false);
  }

  /** The table with its columns of now, fixed to a snapshot, so that each job reads the same. */
  public static ObelusTable fixed(Table table, Snapshot snapshot) {
    return new ObelusTable(table, snapshot, true, false, false);
  }

  /**
   * System table {@code t$ro}: of a table with a key, only what the highest level holds, which
   * needs no merging; of another, all of it. To be read only.
   *
   * @param fixed null = the newest snapshot
   */
  static ObelusTable readOptimized(Table table, Snapshot fixed) {
    Table then = fixed == null ? table : table.atSchema(fixed.schemaId());
    return new ObelusTable(then, fixed, true, true, false);
  }

  /**
   * The same table for a writer with option {@code write.merge-schema}: Spark leaves it to the
   * write to compare columns.
   */
  ObelusTable merging() {
    return new ObelusTable(table, fixed, hasFunctionCatalog, readOptimized, true);
  }

  /** The table itself, for procedures; not of a system table. */
  public Table table() {
    if (readOptimized) {
      throw systemTable();
    }
    return table;
  }

  @Override
  public String name() {
    return readOptimized ? table.name() + "$ro" : table.name();
  }

  @Override
  @SuppressWarnings("deprecation") // the columns that Spark asks for are made from it
  public StructType schema() {
    return table.schema().rowType().toSpark();
  }

  @Override
  public Transform[] partitioning() {
    return TableDefinition.identities(table.schema().partitionKeys());
  }

  @Override
  public Map<String, String> properties() {
    TableSchema schema = table.schema();
    Map<String, String> properties = new TreeMap<>(schema.options());
    properties.put(TableCatalog.PROP_PROVIDER, ObelusSource.NAME);
    properties.put(TableCatalog.PROP_LOCATION, table.directory().root());
    properties.put(TableCatalog.PROP_IS_MANAGED_LOCATION, "true"); // no LOCATION to recreate it
    if (schema.keyed()) {
      properties.put(TableDefinition.PRIMARY_KEY, String.join(",", schema.primaryKeys()));
    }
    if (schema.comment() != null) {
      properties.put(TableCatalog.PROP_COMMENT, schema.comment());
    }
    // SHOW TBLPROPERTIES and SHOW CREATE TABLE ask for the same, but want what can be set.
    String caller =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .getCallerClass()
            .getName();
    if (caller.equals(DESCRIBE)) {
      addState(properties);
    }
    return properties;
  }

  private void addState(Map<String, String> properties) {
    State now = state();
    properties.put(
        "current-snapshot", now.snapshot == null ? "none" : Long.toString(now.snapshot.id()));
    properties.put("current-files", Long.toString(now.summary.files()));
    properties.put("current-size", now.summary.bytes() + " bytes");
    properties.put("current-rows-live", Long.toString(now.summary.liveRows()));
    properties.put("current-rows-struck-out", Long.toString(now.summary.struckOutRows()));
  }

  /** Read once for each snapshot: one DESCRIBE asks for the properties a dozen times. */
  private synchronized State state() {
    Snapshot snapshot = fixed != null ? fixed : pinned().orElse(null);
    if (state == null || !Objects.equals(state.snapshot, snapshot)) {
      try {
        state = new State(snapshot, TableSummary.of(table, snapshot));
      } catch (IOException e) {
        throw new UncheckedIOException("the files of " + name() + " could not be counted", e);
      }
    }
    return state;
  }

  @Override
  public Set<TableCapability> capabilities() {
    if (isReadOnly()) {
      return EnumSet.of(TableCapability.BATCH_READ);
    }
    Set<TableCapability> capabilities =
        EnumSet.of(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.OVERWRITE_BY_FILTER,
            TableCapability.OVERWRITE_DYNAMIC);
    if (merging) {
      capabilities.add(TableCapability.ACCEPT_ANY_SCHEMA);
    }
    return capabilities;
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    List<String> own = table.schema().rowType().names();
    return MetadataColumns.ALL.stream()
        .filter(column -> own.stream().noneMatch(column.name()::equalsIgnoreCase))
        .map(column -> new PlaceColumn(new RowType(List.of(column)).toSpark()))
        .toArray(MetadataColumn[]::new);
  }

  /** A column of {@link MetadataColumns} in Spark's terms. */
  private record PlaceColumn(StructType asRow) implements MetadataColumn {
    @Override
    public String name() {
      return asRow.fields()[0].name();
    }

    @Override
    public DataType dataType() {
      return asRow.fields()[0].dataType();
    }

    @Override
    public boolean isNullable() {
      return asRow.fields()[0].nullable();
    }
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    BranchOption.check(table, options);
    Optional<ScanRange> range = ScanRange.of(options);
    if (range.isPresent()) {
      return between(range.get(), options);
    }
    Snapshot snapshot = snapshot(options);
    if (!readOptimized) {
      return new ObelusScanBuilder(table, snapshot, options);
    } else if (options.containsKey(ReadSettings.LEVEL_ZERO)) {
      throw new IllegalArgumentException(
          "option '%s' cannot be set for %s, which reads the highest level only"
              .formatted(ReadSettings.LEVEL_ZERO, name()));
    }
    Map<String, String> topOnly = new HashMap<>(options.asCaseSensitiveMap());
    topOnly.put(ReadSettings.LEVEL_ZERO, ReadSettings.TOP_ONLY);
    return new ObelusScanBuilder(table, snapshot, topOnly);
  }

  private ScanBuilder between(ScanRange range, CaseInsensitiveStringMap options) {
    if (isReadOnly()) {
      throw new IllegalArgumentException(
          "option '%s' cannot be set for %s, which shows one snapshot"
              .formatted(range.option(), this));
    }
    return new DifferenceScanBuilder(table, range.in(table), false, options);
  }

  private boolean isReadOnly() {
    return fixed != null || readOptimized;
  }

  /**
   * The snapshot to read. Options of {@code spark.read.option(…).table(…)} come only here: the
   * columns are then those of now.
   */
  private Snapshot snapshot(CaseInsensitiveStringMap options) {
    Optional<ScanPosition> position = ScanPosition.of(options);
    if (position.isPresent() && (fixed == null || position.get().saysMoreThanVersion())) {
      return position.get().in(table);
    }
    return fixed != null ? fixed : pinned().orElse(null);
  }

  private synchronized Optional<Snapshot> pinned() {
    String execution = SparkContext.getOrCreate().getLocalProperty(EXECUTION);
    if (execution != null && pin != null && execution.equals(pin.execution())) {
      return pin.snapshot();
    }
    try {
      pin = new Pin(execution, table.snapshots().latest());
      return pin.snapshot();
    } catch (IOException e) {
      throw new UncheckedIOException("the newest snapshot of " + name() + " could not be read", e);
    }
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    checkNewest();
    BranchOption.check(table, info.options());
    if (SchemaMergeOption.of(info.options()).isPresent()) {
      checkMerging(info.schema());
    }
    return new ObelusWriteBuilder(table, info, hasFunctionCatalog);
  }

  private void checkMerging(StructType rows) {
    if (!merging) {
      throw SchemaMergeOption.tooLate(name());
    }
    for (String column : rows.fieldNames()) {
      TableDefinition.refuseTakenName(column);
    }
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    checkNewest();
    return new ObelusRowLevelOperationBuilder(table, info);
  }

  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return !isReadOnly() && new MetadataDelete(table).can(predicates);
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    checkNewest();
    new MetadataDelete(table).delete(predicates);
  }

  @Override
  public boolean truncateTable() {
    checkNewest();
    new MetadataDelete(table).truncate();
    return true;
  }

  // ---- partitions

  @Override
  public StructType partitionSchema() {
    return table.schema().partitionType().toSpark();
  }

  @Override
  public InternalRow[] listPartitionIdentifiers(String[] names, InternalRow values) {
    return new TablePartitions(table)
        .list(fixed != null ? fixed : pinned().orElse(null), names, values);
  }

  @Override
  public boolean dropPartitions(InternalRow[] partitions) {
    checkNewest();
    new TablePartitions(table).delete(partitions);
    return true;
  }

  /** The same as {@link #dropPartitions}: there is no trash. */
  @Override
  public boolean purgePartitions(InternalRow[] partitions) {
    return dropPartitions(partitions);
  }

  @Override
  public boolean truncatePartition(InternalRow partition) {
    return dropPartitions(new InternalRow[] {partition});
  }

  @Override
  public boolean truncatePartitions(InternalRow[] partitions) {
    return dropPartitions(partitions);
  }

  @Override
  public void createPartitions(InternalRow[] partitions, Map<String, String>[] properties) {
    throw new UnsupportedOperationException(
        name() + ": no ADD PARTITION; a partition comes with the first row written into it");
  }

  @Override
  public Map<String, String> loadPartitionMetadata(InternalRow partition) {
    return Map.of();
  }

  @Override
  public void replacePartitionMetadata(InternalRow partition, Map<String, String> properties) {
    throw new UnsupportedOperationException(name() + ": a partition keeps no properties");
  }

  private void checkNewest() {
    if (readOptimized) {
      throw systemTable();
    }
    if (fixed != null) {
      throw new UnsupportedOperationException(
          name()
              + " at snapshot "
              + fixed.id()
              + " can only be read; write to the table without VERSION or TIMESTAMP AS OF");
    }
  }

  private UnsupportedOperationException systemTable() {
    return new UnsupportedOperationException(
        name() + " is a system table and can only be read; name the table, " + table.name());
  }

  /**
   * Whether it is the same table at the same place in its history. Spark's cache goes by this: it
   * forgets what it has of a table when an equal one is written, whatever options were set between.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof ObelusTable that
        && table.directory().equals(that.table.directory())
        && readOptimized == that.readOptimized
        && Objects.equals(fixed, that.fixed);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table.directory(), readOptimized, fixed);
  }

  @Override
  public String toString() {
    return fixed == null ? name() : name() + " at snapshot " + fixed.id();
  }
}
