package io.obelus.core.table.verify;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowType;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The statistics that the manifest keeps of a data file hold: no value is outside the bounds, and
 * there are so many nulls.
 */
final class StatisticsCheck implements RowCheck {

  static final String NAME = "statistics";

  /** What the statistics are about. */
  enum Kind {
    KEY("key statistics"),
    VALUE("statistics");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final ReadFile read;
  private final Kind kind;
  private final Statistics statistics;
  private final long[] nulls;
  private final Strays[] outside;
  private final String[] values;

  StatisticsCheck(ReadFile read, Kind kind) {
    this.read = read;
    this.kind = kind;
    DataFile file = read.file();
    ColumnStats stats = kind == Kind.KEY ? file.keyStats() : file.valueStats();
    RowType columns = stats.equals(ColumnStats.NONE) ? RowType.EMPTY : columns();
    int[] inRow = read.indexesOf(columns);
    this.statistics = new Statistics(columns, inRow, stats);
    this.nulls = new long[columns.size()];
    this.outside = new Strays[columns.size()];
    this.values = new String[columns.size()];
    for (int i = 0; i < outside.length; i++) {
      outside[i] = new Strays();
    }
  }

  private RowType columns() {
    if (kind == Kind.KEY) {
      int[] key = read.indexesOf(read.table().schema().keyType());
      return new RowType(IntStream.of(key).mapToObj(read.stored()::column).toList());
    }
    DataFile file = read.file();
    List<String> names = file.valueStatsColumns();
    names = names == null ? file.writeColumns() : names;
    return names == null ? read.stored() : read.stored().project(names);
  }

  @Override
  public void rows(ColumnarBatch batch, long first) {
    for (int i = 0; i < batch.numRows(); i++) {
      InternalRow row = batch.getRow(i);
      for (int column = 0; column < nulls.length; column++) {
        if (statistics.isNull(column, row)) {
          nulls[column]++;
        } else if (statistics.isOutside(column, row) && outside[column].add(first + i)) {
          values[column] = statistics.value(column, row);
        }
      }
    }
  }

  @Override
  public void end() {
    for (int column = 0; column < nulls.length; column++) {
      String name = statistics.name(column);
      read.report(
          NAME,
          outside[column],
          "column '%s' is %s, which is outside of %s, its %s in the manifest"
              .formatted(name, values[column], statistics.bounds(column), kind.words),
          Mend.OVERWRITE);
      Long said = statistics.nullCount(column);
      if (said != null && said != nulls[column]) {
        read.report()
            .error(
                NAME,
                read.where(),
                "column '%s' should have %d nulls by its %s in the manifest but has %d"
                    .formatted(name, said, kind.words, nulls[column]),
                Mend.OVERWRITE,
                null);
      }
    }
  }
}
