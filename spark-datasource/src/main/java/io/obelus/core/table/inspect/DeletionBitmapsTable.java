package io.obelus.core.table.inspect;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.file.position.Positions;
import io.obelus.core.row.RowType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * {@code t$deletion_bitmaps}: which rows of which data file are struck out, one line per bitmap.
 * Read from the index manifest; a deletion file is opened only if the manifest does not say how
 * many positions a bitmap has.
 */
final class DeletionBitmapsTable implements SystemTable {

  private static final RowType TYPE =
      Rows.type(
          "partition STRING",
          "bucket INT NOT NULL",
          "file_path STRING NOT NULL",
          "record_count BIGINT",
          "struck_out_count BIGINT NOT NULL",
          "coding STRING",
          "index_file STRING NOT NULL",
          "size_in_bytes BIGINT");

  /** A box is this much longer than what the manifest says of a 32-bit bitmap. */
  private static final int SIZE_AND_CRC = 8;

  @Override
  public String name() {
    return "deletion_bitmaps";
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
    DeletionFiles files = inspected.table().deletionFiles();
    List<InternalRow> rows = new ArrayList<>();
    for (BucketState bucket : inspected.live().buckets(id -> true)) {
      String partition = partitions.of(bucket.id().partition());
      Map<String, DataFile> byName = new HashMap<>();
      bucket.files().forEach(file -> byName.put(file.name(), file));
      for (DeletionFile file : bucket.deletions()) {
        for (Bitmap bitmap : bitmaps(files, file)) {
          DataFile dataFile = byName.get(bitmap.dataFile());
          rows.add(
              Rows.of(
                  partition,
                  bucket.id().bucket(),
                  dataFile == null
                      ? bucket.directory() + "/" + bitmap.dataFile()
                      : dataFile.path(bucket.directory()),
                  dataFile == null ? null : dataFile.rowCount(),
                  bitmap.struckOut(),
                  bitmap.coding() == null ? null : bitmap.coding().name(),
                  file.name(),
                  bitmap.size()));
        }
      }
    }
    return rows;
  }

  /**
   * One bitmap.
   *
   * @param coding null if it cannot be told
   * @param size bytes in the deletion file; null if unknown
   */
  private record Bitmap(String dataFile, long struckOut, DeletionCoding coding, Long size) {}

  private static List<Bitmap> bitmaps(DeletionFiles files, DeletionFile file) throws IOException {
    boolean isComplete = file.ranges().stream().noneMatch(r -> r.cardinality() == null);
    Map<String, Positions> read = file.deleteMap() || !isComplete ? files.read(file) : Map.of();
    List<Bitmap> bitmaps = new ArrayList<>();
    if (file.deleteMap()) {
      read.forEach(
          (name, positions) ->
              bitmaps.add(
                  new Bitmap(name, positions.cardinality(), DeletionCoding.DELETE_MAP, null)));
      return bitmaps;
    }
    for (int i = 0; i < file.ranges().size(); i++) {
      Range range = file.ranges().get(i);
      long end = i + 1 < file.ranges().size() ? file.ranges().get(i + 1).offset() : file.size();
      long size = end - range.offset();
      Positions positions = read.get(range.dataFile());
      bitmaps.add(
          new Bitmap(
              range.dataFile(),
              positions == null ? range.cardinality() : positions.cardinality(),
              coding(range, size),
              size));
    }
    return bitmaps;
  }

  /** The two codings differ in what the manifest counts as length (spec chapter 09). */
  private static DeletionCoding coding(Range range, long size) {
    if (size == range.length()) {
      return DeletionCoding.BITMAP64;
    }
    return size == range.length() + SIZE_AND_CRC ? DeletionCoding.BITMAP32 : null;
  }
}
