package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** One kind of system table: {@code files} of {@code t$files}. Immutable. */
public interface SystemTable {

  /** What stands behind the dollar sign, in lower case. */
  String name();

  /** Its columns; a type with a comment says what is not clear from the name. */
  RowType rowType();

  /**
   * Whether its rows are about one snapshot, so that another one may be asked for. Else they are
   * about the table's whole history.
   */
  boolean showsSnapshot();

  /**
   * Its rows, all in memory: one per snapshot, file or the like, never per row of the table.
   * IOException and the exceptions of damaged metadata pass through.
   */
  List<InternalRow> rows(Inspected inspected) throws IOException;
}
