package io.obelus.core.file.data;

import io.obelus.core.file.position.RowSelection;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;

/** Reads the selected rows of a file, row group by row group. */
final class SelectedRows implements DataFileReader {

  private final OpenFile file;
  private final DataFiles.Request request;
  private final PageFilter filter;
  private final SelectedBatches batches;
  private ConditionProbe probe; // null if the condition's columns are not read first

  private int nextBlock;

  SelectedRows(OpenFile file, DataFiles.Request request, DataFiles.BatchSettings settings)
      throws IOException {
    this.file = file;
    this.request = request;
    this.filter = PageFilter.of(request.condition(), request.fileColumns(), file.schema());
    this.batches = new SelectedBatches(file, request, request.columns(), settings);
    this.probe = ConditionProbe.of(file, request, batches.requested(), settings);
  }

  @Override
  public PositionedBatch next() throws IOException {
    return file.guarded(
        () -> {
          while (!batches.next()) {
            if (!nextRowGroup()) {
              return null;
            }
          }
          return batches;
        });
  }

  /** Goes to the next row group with a row to decode. */
  private boolean nextRowGroup() throws IOException {
    List<BlockMetaData> blocks = file.blocks();
    while (nextBlock < blocks.size()) {
      int index = nextBlock++;
      BlockMetaData block = blocks.get(index);
      if (request.isInRange(block.getRowIndexOffset())) {
        if (begin(index, block)) {
          return true;
        }
        file.counter().none(block, batches.requested());
      }
    }
    return false;
  }

  private boolean begin(int index, BlockMetaData block) throws IOException {
    RowSelection rows = request.rows();
    long first = block.getRowIndexOffset();
    long rowCount = block.getRowCount();
    if (rows.cardinality(first, first + rowCount) == 0 || (filter != null && filter.drops(block))) {
      return false;
    }
    RowRanges ranges = RowGroupPlan.ranges(rows, first, rowCount);
    if (filter != null) {
      ranges = Ranges.both(ranges, filter.ranges(file, block));
    }
    if (ranges != null && ranges.rowCount() == 0) {
      return false;
    }
    if (probe != null) {
      rows = probe(index, rows, ranges);
      if (rows.isEmpty()) {
        return false;
      }
      ranges = Ranges.both(ranges, RowGroupPlan.ranges(rows, first, rowCount));
    }
    batches.begin(index, rows, ranges);
    return true;
  }

  @Override
  public PageFigures pages() {
    return file.counter().figures();
  }

  private RowSelection probe(int index, RowSelection rows, RowRanges ranges) throws IOException {
    RowSelection narrowed = probe.narrow(index, rows, ranges);
    if (probe.hasGivenUp()) {
      probe.close();
      probe = null;
    }
    return narrowed;
  }

  @Override
  public void close() throws IOException {
    try {
      batches.close();
      if (probe != null) {
        probe.close();
      }
    } finally {
      file.close();
    }
  }
}
