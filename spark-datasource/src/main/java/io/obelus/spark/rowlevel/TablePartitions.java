package io.obelus.spark.rowlevel;

import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;

/** The partitions of a table by their values: SHOW, DROP and TRUNCATE PARTITION. */
public final class TablePartitions {

  private final Table table;
  private final RowType type;
  private final BinaryRows rows;

  public TablePartitions(Table table) {
    this.table = table;
    this.type = table.schema().partitionType();
    this.rows = new BinaryRows(type);
  }

  /**
   * Values of the partitions that have files.
   *
   * @param snapshot null if the table has none
   * @param columns names of the columns that are given; no others matter
   * @param values of those columns
   */
  public InternalRow[] list(Snapshot snapshot, String[] columns, InternalRow values) {
    int[] inPartition = type.indexesOf(List.of(columns));
    int[] inValues = IntStream.range(0, columns.length).toArray();
    var order = RowComparator.across(type, inPartition, inValues);
    return all(snapshot).stream()
        .filter(partition -> order.compare(partition, values) == 0)
        .toArray(InternalRow[]::new);
  }

  private Collection<InternalRow> all(Snapshot snapshot) {
    TreeSet<InternalRow> partitions = new TreeSet<>(RowComparator.of(type));
    try {
      new LiveFiles(table, snapshot)
          .entries(bucket -> true)
          .forEach(entry -> partitions.add(values(entry.bucket().partition())));
    } catch (IOException e) {
      throw new UncheckedIOException("the partitions of " + table.name() + " cannot be read", e);
    }
    return partitions;
  }

  private InternalRow values(RowBytes partition) {
    return rows.read(partition.bytes());
  }

  /** Deletes all rows of these partitions, in one snapshot. */
  public void delete(InternalRow[] partitions) {
    TreeSet<InternalRow> wanted = new TreeSet<>(RowComparator.of(type));
    wanted.addAll(Arrays.asList(partitions));
    new MetadataDelete(table).replace(partition -> wanted.contains(values(partition)));
  }
}
