package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.deletion.DeletionFile;
import io.obelus.core.file.deletion.DeletionFiles;
import io.obelus.core.file.position.Positions;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The deletion bitmaps of a bucket: each decodes, has its CRC and as many positions as the index
 * manifest says, belongs to a live data file and marks rows that this has; a data file has at most
 * one.
 */
final class DeletionBitmapCheck {

  static final String NAME = "deletion_bitmap";

  private final Places places;
  private final DeletionFiles files;
  private final BucketState bucket;
  private final Report report;
  private final Map<String, DataFile> live;
  private final Map<String, Positions> bitmaps = new HashMap<>();
  private final Set<String> unknown = new HashSet<>();

  DeletionBitmapCheck(Places places, BucketState bucket, Report report) {
    this.places = places;
    this.files = places.table().deletionFiles();
    this.bucket = bucket;
    this.report = report;
    this.live =
        bucket.files().stream().collect(Collectors.toMap(DataFile::name, f -> f, (a, b) -> a));
  }

  /**
   * What is struck out.
   *
   * @param bitmaps by data file
   * @param unknown data files whose bitmap cannot be read
   */
  record Deletions(Map<String, Positions> bitmaps, Set<String> unknown) {}

  Deletions run() throws IOException {
    for (DeletionFile file : bucket.deletions()) {
      read(file);
    }
    return new Deletions(bitmaps, unknown);
  }

  private void read(DeletionFile file) throws IOException {
    Report whole = new Report();
    Where where = where(file);
    boolean sound =
        whole.guard(
            NAME,
            where,
            Mend.ROLLBACK,
            file.name(),
            () -> files.read(file).forEach((name, positions) -> add(file, name, positions)));
    if (sound) {
      return;
    }
    Report single = new Report();
    for (DeletionFile.Range range : file.ranges()) { // one of them may be all that is wrong
      single.guard(
          NAME,
          where,
          Mend.ROLLBACK,
          file.name(),
          () -> {
            unknown.add(range.dataFile());
            Positions positions = files.read(file, range.dataFile(), Long.MAX_VALUE);
            unknown.remove(range.dataFile());
            add(file, range.dataFile(), positions);
          });
    }
    if (file.deleteMap()) {
      unknown.addAll(live.keySet()); // its directory is part of what cannot be read
    }
    report.addAll(single.problems().isEmpty() ? whole : single);
  }

  private void add(DeletionFile file, String dataFile, Positions positions) {
    DataFile of = live.get(dataFile);
    if (of == null) {
      stale(file, dataFile);
    } else if (!positions.isEmpty() && positions.max() >= of.rowCount()) {
      error(
          file,
          "the bitmap of data file %s marks row %d, but that file has %d rows"
              .formatted(dataFile, positions.max(), of.rowCount()));
      unknown.add(dataFile);
    } else if (bitmaps.putIfAbsent(dataFile, positions) != null) {
      error(file, "it has a second bitmap of data file %s".formatted(dataFile));
      unknown.add(dataFile);
    }
  }

  /**
   * Readers pass over such a bitmap, and Paimon leaves some behind where compaction leaves no row;
   * but it may also be that of a file that is named wrongly.
   */
  private void stale(DeletionFile file, String dataFile) {
    if (!live.isEmpty()) {
      report.warning(
          NAME,
          where(file),
          "it has a bitmap of data file %s, which is not live".formatted(dataFile),
          Mend.COMPACT,
          null);
    }
  }

  private void error(DeletionFile file, String problem) {
    report.error(NAME, where(file), problem, Mend.ROLLBACK, file.name());
  }

  private Where where(DeletionFile file) {
    String path = file.path() != null ? file.path() : places.table().directory().index(file.name());
    return places.of(bucket.id()).in(path);
  }
}
