package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import io.obelus.core.table.snapshot.Snapshot;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$snapshots}: what was committed, oldest first. */
final class SnapshotsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "snapshot_id BIGINT NOT NULL",
          "schema_id BIGINT NOT NULL",
          "commit_user STRING NOT NULL",
          "commit_identifier BIGINT NOT NULL",
          "commit_kind STRING NOT NULL",
          "commit_time TIMESTAMP(3) NOT NULL",
          "base_manifest_list STRING NOT NULL",
          "delta_manifest_list STRING NOT NULL",
          "changelog_manifest_list STRING",
          "total_record_count BIGINT",
          "delta_record_count BIGINT",
          "changelog_record_count BIGINT",
          "watermark BIGINT");

  @Override
  public String name() {
    return "snapshots";
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
    return inspected.table().snapshots().all().stream().map(s -> row(inspected, s)).toList();
  }

  private static InternalRow row(Inspected inspected, Snapshot snapshot) {
    return Rows.of(
        snapshot.id(),
        snapshot.schemaId(),
        snapshot.commitUser(),
        snapshot.commitIdentifier(),
        snapshot.kind().name(),
        inspected.time(snapshot.timeMillis()),
        snapshot.baseManifestList(),
        snapshot.deltaManifestList(),
        snapshot.changelogManifestList(),
        snapshot.totalRecordCount(),
        snapshot.deltaRecordCount(),
        snapshot.changelogRecordCount(),
        snapshot.watermark());
  }
}
