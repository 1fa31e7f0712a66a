package io.obelus.core.table.inspect;

import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.manifest.Manifests;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$manifests}: the manifests of a snapshot, those of its changelog last. */
final class ManifestsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "file_name STRING NOT NULL",
          "file_size BIGINT NOT NULL",
          "num_added_files BIGINT NOT NULL",
          "num_deleted_files BIGINT NOT NULL",
          "schema_id BIGINT NOT NULL",
          "min_partition_stats STRING",
          "max_partition_stats STRING");

  @Override
  public String name() {
    return "manifests";
  }

  @Override
  public RowType rowType() {
    return TYPE;
  }

  @Override
  public boolean showsSnapshot() {
    return true;
  }

  @Override
  public List<InternalRow> rows(Inspected inspected) throws IOException {
    PartitionText partitions = inspected.partitions();
    return manifests(inspected).stream().map(manifest -> row(partitions, manifest)).toList();
  }

  private static List<ManifestFile> manifests(Inspected inspected) throws IOException {
    List<ManifestFile> all = new ArrayList<>(inspected.live().manifestFiles());
    Snapshot snapshot = inspected.snapshot();
    if (snapshot != null && snapshot.changelogManifestList() != null) {
      Table table = inspected.table();
      all.addAll(
          new Manifests(table.storage(), table.directory())
              .readList(snapshot.changelogManifestList(), snapshot.changelogManifestListSize()));
    }
    return all;
  }

  private static InternalRow row(PartitionText partitions, ManifestFile manifest) {
    return Rows.of(
        manifest.name(),
        manifest.size(),
        manifest.added(),
        manifest.deleted(),
        manifest.schemaId(),
        partitions.of(manifest.partitionStats().min()),
        partitions.of(manifest.partitionStats().max()));
  }
}
