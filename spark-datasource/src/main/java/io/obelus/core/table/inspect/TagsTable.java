package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Tag;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * {@code t$tags}: the tags in alphabetical order. When a tag was made is kept only if it is to be
 * deleted some day, and then as the clock on the wall of its maker showed it.
 */
final class TagsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "tag_name STRING NOT NULL",
          "snapshot_id BIGINT NOT NULL",
          "schema_id BIGINT NOT NULL",
          "commit_time TIMESTAMP(3) NOT NULL",
          "record_count BIGINT",
          "create_time TIMESTAMP(3)",
          "time_retained STRING");

  @Override
  public String name() {
    return "tags";
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
    return inspected.table().tags().all().stream().map(tag -> row(inspected, tag)).toList();
  }

  private static InternalRow row(Inspected inspected, Tag tag) {
    Snapshot snapshot = tag.snapshot();
    return Rows.of(
        tag.name(),
        snapshot.id(),
        snapshot.schemaId(),
        inspected.time(snapshot.timeMillis()),
        snapshot.totalRecordCount(),
        tag.created(),
        tag.retained() == null ? null : tag.retained().toString());
  }
}
