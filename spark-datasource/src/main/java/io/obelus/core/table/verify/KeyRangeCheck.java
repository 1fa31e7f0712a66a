package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;

/** The key ranges of the files on a level above 0 of a bucket are disjoint. */
final class KeyRangeCheck implements Check<State> {

  static final String NAME = "key_range";

  private record Level(BucketId bucket, int level) {}

  private record KeyRange(DataFile file, InternalRow min, InternalRow max) {}

  @Override
  public void check(State state, Report report) throws IOException {
    if (!state.table().schema().keyed()) {
      return;
    }
    Map<Level, List<DataFile>> levels = new LinkedHashMap<>();
    for (ManifestEntry entry : state.live()) {
      if (entry.bucket().bucket() >= 0) {
        Level level = new Level(entry.bucket(), entry.file().level());
        levels.computeIfAbsent(level, l -> new ArrayList<>()).add(entry.file());
      }
    }
    for (Map.Entry<Level, List<DataFile>> level : levels.entrySet()) {
      BucketId bucket = level.getKey().bucket();
      report.guard(
          NAME,
          new Where(null, bucket.bucket(), null, null),
          Mend.ROLLBACK,
          null,
          () -> check(state, report, level.getKey(), level.getValue()));
    }
  }

  private static void check(State state, Report report, Level level, List<DataFile> files)
      throws IOException {
    RowType key = state.table().schema().keyType();
    Comparator<InternalRow> order = RowComparator.of(key);
    BinaryRows rows = new BinaryRows(key);
    List<KeyRange> ranges = new ArrayList<>();
    for (DataFile file : files) {
      Where where = state.places().of(level.bucket(), file);
      report.guard(
          NAME,
          where,
          Mend.ROLLBACK,
          file.name(),
          () -> {
            InternalRow min = rows.read(file.minKey().bytes());
            InternalRow max = rows.read(file.maxKey().bytes());
            ranges.add(new KeyRange(file, min, max));
            if (order.compare(min, max) > 0) {
              String problem = "its first key %s is above its last key %s";
              report.error(
                  NAME,
                  where,
                  problem.formatted(text(min, key), text(max, key)),
                  Mend.ROLLBACK,
                  file.name());
            }
          });
    }
    if (level.level() == 0) {
      return; // these may overlap
    }
    ranges.sort(Comparator.comparing(KeyRange::min, order));
    for (int i = 1; i < ranges.size(); i++) {
      KeyRange below = ranges.get(i - 1);
      KeyRange range = ranges.get(i);
      if (order.compare(below.max(), range.min()) >= 0) {
        report.error(
            NAME,
            state.places().of(level.bucket(), range.file()),
            "on level %d its keys begin at %s, but those of %s end at %s"
                .formatted(
                    level.level(),
                    text(range.min(), key),
                    below.file().name(),
                    text(below.max(), key)),
            Mend.ROLLBACK,
            range.file().name());
      }
    }
  }

  private static String text(InternalRow row, RowType key) {
    return Values.text(row, key, IntStream.range(0, key.size()).toArray());
  }
}
