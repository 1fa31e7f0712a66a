package io.obelus.core.table.inspect;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.ColumnType.Scalar;
import io.obelus.core.row.RowBytes;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@code t$files}: the live data files of all levels. Counts are rows as stored. */
final class FilesTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "bucket INT NOT NULL",
          "file_path STRING NOT NULL",
          "file_format STRING NOT NULL",
          "schema_id BIGINT NOT NULL",
          "level INT NOT NULL",
          "record_count BIGINT NOT NULL",
          "file_size_in_bytes BIGINT NOT NULL",
          "min_key STRING",
          "max_key STRING",
          "null_value_counts STRING NOT NULL",
          "min_value_stats STRING NOT NULL",
          "max_value_stats STRING NOT NULL",
          "min_sequence_number BIGINT",
          "max_sequence_number BIGINT",
          "creation_time TIMESTAMP(3)",
          "deleteRowCount BIGINT",
          "file_source STRING");

  @Override
  public String name() {
    return "files";
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
    StatsText stats = new StatsText(inspected.table());
    List<InternalRow> rows = new ArrayList<>();
    for (ManifestEntry entry : inspected.entries()) {
      rows.add(row(inspected, partitions, stats, entry));
    }
    return rows;
  }

  private static InternalRow row(
      Inspected inspected, PartitionText partitions, StatsText stats, ManifestEntry entry) {
    DataFile file = entry.file();
    StatsText.OfFile texts = stats.of(file);
    RowType keyType = inspected.table().schemas().get(file.schemaId()).keyType();
    return Rows.of(
        partitions.of(entry.bucket().partition()),
        entry.bucket().bucket(),
        file.path(inspected.directory(entry.bucket())),
        file.name().substring(file.name().lastIndexOf('.') + 1),
        file.schemaId(),
        file.level(),
        file.rowCount(),
        file.size(),
        key(keyType, file.minKey()),
        key(keyType, file.maxKey()),
        texts.nullCounts(),
        texts.min(),
        texts.max(),
        file.minSequence(),
        file.maxSequence(),
        Inspected.wallTime(file.creationTime()),
        file.deleteRowCount(),
        source(file.source()));
  }

  /** {@code [1, a]}; null in a file without a key. */
  private static String key(RowType type, RowBytes key) {
    if (key.equals(RowBytes.EMPTY)) {
      return null;
    }
    InternalRow row = new BinaryRows(type).read(key.bytes());
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < type.size(); i++) {
      text.add(ValueText.object((Scalar) type.column(i).type(), row, i));
    }
    return text.toString();
  }

  private static String source(Integer source) {
    if (source == null) {
      return null;
    }
    return switch (source) {
      case DataFile.SOURCE_APPEND -> "APPEND";
      case DataFile.SOURCE_COMPACT -> "COMPACT";
      default -> "UNKNOWN(" + source + ")";
    };
  }
}
