package io.obelus.core.file.data;

import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.BatchFilter;
import io.obelus.core.row.Column;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Reads the columns of a condition first, so that the others are read only where it is true. Gives
 * up where that does not pay, unless the request wants it so: what was not looked at is kept.
 */
final class ConditionProbe implements Closeable {

  /** The condition must leave less than one row in so many: else all columns are decoded anyway. */
  private static final int FEW = 10;

  /** Rows to look at before giving up. */
  private static final long SAMPLE = 8192;

  private final OpenFile file;
  private final SelectedBatches batches;
  private final BatchFilter filter;
  private final MessageType all;
  private final boolean mustFinish;
  private final int[] kept;
  private long seen;
  private long matched;

  private ConditionProbe(
      OpenFile file,
      DataFiles.Request request,
      SelectedBatches batches,
      BatchFilter filter,
      MessageType all,
      int capacity) {
    this.file = file;
    this.batches = batches;
    this.filter = filter;
    this.all = all;
    this.mustFinish = request.filtered();
    this.kept = new int[capacity];
  }

  /**
   * A probe with the condition of a request.
   *
   * @param requested columns of the file that are decoded for the request
   * @return null if there is nothing to gain: no condition, or no column beside its own
   */
  static ConditionProbe of(
      OpenFile file,
      DataFiles.Request request,
      MessageType requested,
      DataFiles.BatchSettings settings)
      throws IOException {
    Set<Column> needed = Predicates.columns(request.condition());
    boolean pays = !needed.isEmpty() && !needed.containsAll(request.columns().columns());
    if (!pays && !request.filtered()) {
      return null;
    }
    RowType columns = new RowType(List.copyOf(needed));
    SelectedBatches batches = new SelectedBatches(file, request, columns, settings);
    return new ConditionProbe(
        file,
        request,
        batches,
        BatchFilter.of(request.condition(), columns),
        union(requested, batches.requested()),
        settings.capacity());
  }

  private static MessageType union(MessageType left, MessageType right) {
    List<Type> fields = new ArrayList<>(left.getFields());
    for (Type field : right.getFields()) {
      if (!left.containsField(field.getName())) {
        fields.add(field);
      }
    }
    return new MessageType(left.getName(), fields);
  }

  /**
   * The rows of a row group of which the condition may be true, or is if the request wants rows
   * filtered; none of other row groups.
   *
   * @param ranges rows of the row group to look at; null = all
   */
  RowSelection narrow(int index, RowSelection rows, RowRanges ranges) throws IOException {
    if (ranges != null) {
      file.offsetIndexes(file.blocks().get(index), all); // in one request
    }
    Positions found = new Positions();
    batches.begin(index, rows, ranges);
    while (batches.next()) {
      int count = batches.columns().numRows();
      for (int i = 0; i < count; i++) {
        kept[i] = i;
      }
      int left = filter.keep(batches.columns(), kept, count);
      for (int i = 0; i < left; i++) {
        found.add(batches.position(kept[i]));
      }
      seen += count;
      matched += left;
      if (hasGivenUp()) {
        BlockMetaData block = file.blocks().get(index);
        long end = block.getRowIndexOffset() + block.getRowCount();
        found.addAll(Positions.range(batches.position(count - 1) + 1, end));
        break;
      }
    }
    return rows.and(found);
  }

  /** Whether the condition is true of too many rows for a probe to pay. */
  boolean hasGivenUp() {
    return !mustFinish && seen >= SAMPLE && matched * FEW > seen;
  }

  @Override
  public void close() throws IOException {
    batches.close();
  }
}
