package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.bucket.KeyedBucket;
import io.obelus.core.bucket.MergeReader;
import io.obelus.core.bucket.RowShape;
import io.obelus.core.bucket.Section;
import io.obelus.core.bucket.SortedRuns;
import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.bucket.merge.MergeEngine;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.position.Positions;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.RowType;
import io.obelus.core.table.schema.TableSchema;
import io.obelus.core.table.snapshot.Table;
import io.obelus.core.table.snapshot.TableBuckets;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * No key has two live rows where readers do not merge. The sorted runs are walked in step, key
 * columns only: memory is a batch for each run.
 *
 * <p>Level 0 is left out. Readers merge what is there with the rest until a compaction has struck
 * out what it replaces.
 */
final class LiveKeyCheck {

  static final String NAME = "live_key";

  private final Places places;
  private final BucketState bucket;
  private final Map<String, Positions> bitmaps;
  private final Report report;
  private final DataFiles dataFiles;
  private final KeyedBucket keyed;
  private final Meetings meetings = new Meetings();

  /** Counts the keys that have more than one row. */
  private static final class Meetings implements MergeEngine {
    private static final long serialVersionUID = 1;
    private boolean met;

    @Override
    public KeyedRecord merge(KeyedRecord[] records, int count) {
      met = true;
      return records[count - 1];
    }
  }

  LiveKeyCheck(Places places, BucketState bucket, Map<String, Positions> bitmaps, Report report) {
    this.places = places;
    this.bucket = bucket;
    this.bitmaps = bitmaps;
    this.report = report;
    Table table = places.table();
    TableSchema schema = table.schema();
    this.dataFiles = new DataFiles(table.storage(), DataFiles.BatchSettings.DEFAULT);
    this.keyed =
        new KeyedBucket(
            TableBuckets.files(table, DataFiles.BatchSettings.DEFAULT),
            new RowShape(
                schema.rowType(),
                schema.rowType().indexesOf(schema.trimmedPrimaryKeys()),
                new int[0],
                false),
            meetings);
  }

  /**
   * @param files that can be read and are sorted
   */
  void check(List<DataFile> files) throws IOException {
    List<DataFile> settled = files.stream().filter(file -> file.level() > 0).toList();
    for (Section section : new SortedRuns(keyed.shape().keyType()).sections(settled)) {
      if (section.runs().size() > 1 && !keyed.mustMerge(section)) {
        report.guard(
            NAME,
            places.of(bucket.id()),
            Mend.ROLLBACK,
            section.files().get(0).name(),
            () -> walk(section));
      }
    }
  }

  private void walk(Section section) throws IOException {
    RowType key = keyed.shape().keyType();
    int[] all = IntStream.range(0, key.size()).toArray();
    long count = 0;
    Where first = null;
    String text = null;
    try (MergeReader rows = keyed.merge(key, section, this::open)) {
      while (rows.next()) {
        if (meetings.met) {
          meetings.met = false;
          count++;
          if (first == null) {
            first = places.of(bucket.id(), rows.file()).at(rows.position());
            text = Values.text(rows.record().row(), key, all);
          }
        }
      }
    }
    if (count > 0) {
      report.error(
          NAME,
          first,
          "key %s has a live row here and another in an older run%s"
              .formatted(
                  text, count == 1 ? "" : ", and so have %d other keys".formatted(count - 1)),
          Mend.COMPACT,
          null);
    }
  }

  private DataFileReader open(DataFile file, RowType columns) throws IOException {
    RowSelection rows = RowSelection.all(file.rowCount());
    Positions deleted = bitmaps.get(file.name());
    return dataFiles.open(
        new DataFiles.Request(
            file.path(bucket.directory()),
            places.table().fileSchemas().rowType(file.schemaId()),
            columns,
            deleted == null ? rows : rows.without(deleted),
            Predicate.ALWAYS));
  }
}
