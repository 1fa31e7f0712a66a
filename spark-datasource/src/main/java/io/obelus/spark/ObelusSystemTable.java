package io.obelus.spark;

import io.obelus.core.table.inspect.Inspected;
import io.obelus.core.table.inspect.SystemTable;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import io.obelus.spark.option.BranchOption;
import io.obelus.spark.option.ScanPosition;
import io.obelus.spark.option.StatementOptions;
import io.obelus.spark.read.SystemTableScanBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A system table such as {@code t$files}: it can be read and nothing else. */
final class ObelusSystemTable implements SupportsRead {

  private final Table table;
  private final SystemTable system;
  private final Snapshot fixed;

  /**
   * @param fixed the snapshot to look at; null = the newest one when it is read
   */
  ObelusSystemTable(Table table, SystemTable system, Snapshot fixed) {
    this.table = table;
    this.system = system;
    this.fixed = fixed;
  }

  @Override
  public String name() {
    return table.name() + "$" + system.name();
  }

  @Override
  @SuppressWarnings("deprecation") // the columns that Spark asks for are made from it
  public StructType schema() {
    return system.rowType().toSpark();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    BranchOption.check(table, options);
    Optional<ScanPosition> position = ScanPosition.of(options);
    for (String option : options.keySet()) {
      boolean isPosition = position.isPresent() && option.equalsIgnoreCase(position.get().option());
      if (!StatementOptions.isOfSpark(option)
          && !option.equalsIgnoreCase(BranchOption.NAME)
          && !isPosition) {
        throw new IllegalArgumentException(
            "option '" + option + "' cannot be set for a read of system table " + name());
      }
    }
    if (position.isPresent() && !system.showsSnapshot()) {
      throw notOfOneSnapshot(name(), table);
    }
    return new SystemTableScanBuilder(name(), system, () -> inspected(position));
  }

  static IllegalArgumentException notOfOneSnapshot(String name, Table table) {
    return new IllegalArgumentException(
        "%s shows the whole history of %s, not one snapshot: do not ask for one"
            .formatted(name, table.name()));
  }

  private Inspected inspected(Optional<ScanPosition> position) {
    ZoneId zone = DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone());
    boolean decides =
        position.isPresent() && (fixed == null || position.get().saysMoreThanVersion());
    try {
      Snapshot snapshot =
          decides
              ? position.get().in(table)
              : fixed != null ? fixed : table.snapshots().latest().orElse(null);
      return new Inspected(table, snapshot, zone);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the newest snapshot of " + table.name() + " could not be read", e);
    }
  }

  /** See {@link ObelusTable#equals}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ObelusSystemTable that
        && table.directory().equals(that.table.directory())
        && system.name().equals(that.system.name())
        && Objects.equals(fixed, that.fixed);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table.directory(), system.name(), fixed);
  }

  @Override
  public String toString() {
    return fixed == null ? name() : name() + " at snapshot " + fixed.id();
  }
}
