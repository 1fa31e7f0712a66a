package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileColumns;
import io.obelus.core.row.Column;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * A data file that is read from its first to its last row.
 *
 * @param stored columns of the table in the schema that the file was written with
 * @param columns that are read: these, and behind them sequence number, kind and the copies of the
 *     key if the table has one
 */
record ReadFile(
    Table table,
    BucketState bucket,
    DataFile file,
    RowType stored,
    RowType columns,
    Where where,
    Report report) {

  static ReadFile of(Places places, BucketState bucket, DataFile file, Report report) {
    Table table = places.table();
    RowType stored = table.fileSchemas().rowType(file.schemaId());
    List<Column> columns = new ArrayList<>(stored.columns());
    if (table.schema().keyed()) {
      columns.add(DataFileColumns.SEQUENCE);
      columns.add(DataFileColumns.KIND);
      table.schema().keyType().columns().stream()
          .map(key -> stored.column(stored.indexOfId(key.id())))
          .map(DataFileColumns::repeated)
          .forEach(columns::add);
    }
    return new ReadFile(
        table,
        bucket,
        file,
        stored,
        new RowType(columns),
        places.of(bucket.id()).in(file.path(bucket.directory())),
        report);
  }

  /** Where columns of the table are among those read, by field id; -1 if the file lacks one. */
  int[] indexesOf(RowType ofTable) {
    return ofTable.columns().stream().mapToInt(column -> stored.indexOfId(column.id())).toArray();
  }

  /** Where the sequence number is. */
  int sequence() {
    return stored.size();
  }

  /** Where the kind is. */
  int kind() {
    return stored.size() + 1;
  }

  /** Where the first of the copies of key columns is. */
  int keyCopies() {
    return stored.size() + 2;
  }

  /** Reports rows that are wrong in the same way, as one finding. */
  void report(String check, Strays strays, String problem, Mend mend) {
    if (strays.count() > 0) {
      String others =
          strays.count() == 1
              ? ""
              : "; so %s %d other rows"
                  .formatted(strays.count() == 2 ? "is" : "are", strays.count() - 1);
      report.error(check, where.at(strays.first()), problem + others, mend, file.name());
    }
  }
}
