package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$options}: the options that the table keeps. */
final class OptionsTable implements SystemTable {

  private static final RowType TYPE = Rows.type("key STRING NOT NULL", "value STRING NOT NULL");

  @Override
  public String name() {
    return "options";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return false;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) {
    return inspected.table().schema().options().entrySet().stream()
        .map(option -> Rows.of(option.getKey(), option.getValue()))
        .toList();
  }
}
