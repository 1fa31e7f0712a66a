package io.obelus.core.table.inspect;

import io.obelus.core.io.Storage;
import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * {@code t$branches}: the branches in alphabetical order. No file says when a branch was made; what
 * is shown is when its directory was last changed, as far as the storage knows.
 */
final class BranchesTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type("branch_name STRING NOT NULL", "create_time TIMESTAMP(3) NOT NULL");

  @Override
  public String name() {
    return "branches";
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
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    Table table = inspected.table();
    Map<String, Long> changed =
        table.storage().list(table.directory().branches()).stream()
            .collect(
                Collectors.toMap(
                    entry -> table.directory().branches() + "/" + entry.name(),
                    Storage.Entry::modifiedMillis));
    List<InternalRow> rows = new ArrayList<>();
    for (String branch : table.branches().names()) {
      Long millis = changed.get(table.directory().onBranch(branch).history());
      if (millis != null) { // made between the two listings: as if it were made after both
        rows.add(Rows.of(branch, inspected.time(millis)));
      }
    }
    return rows;
  }
}
