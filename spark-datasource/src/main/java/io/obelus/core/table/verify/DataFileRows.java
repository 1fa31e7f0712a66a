package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileReader;
import io.obelus.core.file.data.DataFiles;
import io.obelus.core.file.data.PositionedBatch;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.Predicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a data file once, struck-out rows too, and hands its rows to all {@link RowCheck}s. */
final class DataFileRows {

  static final String NAME = "data_file";

  private final Places places;
  private final BucketState bucket;
  private final DataFile file;
  private final Report report;

  DataFileRows(Places places, BucketState bucket, DataFile file, Report report) {
    this.places = places;
    this.bucket = bucket;
    this.file = file;
    this.report = report;
  }

  /** Whether the file could be read and its rows are in the order of their keys. */
  boolean run() throws IOException {
    int before = report.problems().size();
    boolean whole =
        report.guard(
            NAME,
            places.of(bucket.id()).in(file.path(bucket.directory())),
            Mend.ROLLBACK,
            file.name(),
            () -> run(ReadFile.of(places, bucket, file, report)));
    return whole
        && report.problems().stream()
            .skip(before)
            .noneMatch(problem -> problem.check().equals(KeyOrderCheck.NAME));
  }

  private void run(ReadFile read) throws IOException {
    List<RowCheck> checks = new ArrayList<>();
    try {
      open(read, checks);
      hand(read, checks);
      for (RowCheck check : checks) {
        check.end();
      }
    } finally {
      for (RowCheck check : checks) {
        check.close();
      }
    }
  }

  private static void open(ReadFile read, List<RowCheck> checks) throws IOException {
    if (read.table().schema().keyed()) {
      checks.add(new KeyOrderCheck(read));
      checks.add(new KeyCopyCheck(read));
      checks.add(new KeyBoundsCheck(read));
      checks.add(new SequenceBoundsCheck(read));
      checks.add(new RetractCountCheck(read));
    }
    checks.add(new RowBucketCheck(read));
    checks.add(new RowPartitionCheck(read));
    for (StatisticsCheck.Kind kind : StatisticsCheck.Kind.values()) {
      // Statistics that cannot be decoded must not keep the others from being looked at.
      read.report()
          .guard(
              StatisticsCheck.NAME,
              read.where(),
              Mend.OVERWRITE,
              null,
              () -> checks.add(new StatisticsCheck(read, kind)));
    }
    checks.add(new FileIndexCheck(read));
  }

  private static void hand(ReadFile read, List<RowCheck> checks) throws IOException {
    DataFile file = read.file();
    DataFiles dataFiles = new DataFiles(read.table().storage(), DataFiles.BatchSettings.DEFAULT);
    DataFiles.Request request =
        new DataFiles.Request(
            file.path(read.bucket().directory()),
            read.stored(),
            read.columns(),
            RowSelection.all(file.rowCount()),
            Predicate.ALWAYS);
    try (DataFileReader reader = dataFiles.open(request)) {
      long position = 0;
      for (PositionedBatch batch = reader.next(); batch != null; batch = reader.next()) {
        int rows = batch.columns().numRows();
        if (rows > 0) {
          for (RowCheck check : checks) {
            check.rows(batch.columns(), position);
          }
          position += rows;
        }
      }
      if (position != file.rowCount()) {
        throw new IllegalStateException(
            "it should have %d rows, but %d were read".formatted(file.rowCount(), position));
      }
    }
  }
}
