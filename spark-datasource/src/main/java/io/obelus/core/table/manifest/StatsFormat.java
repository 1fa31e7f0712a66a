package io.obelus.core.table.manifest;

import static io.obelus.core.table.manifest.AvroSchemas.array;
import static io.obelus.core.table.manifest.AvroSchemas.bytes;
import static io.obelus.core.table.manifest.AvroSchemas.field;
import static io.obelus.core.table.manifest.AvroSchemas.int64;
import static io.obelus.core.table.manifest.AvroSchemas.nullable;
import static io.obelus.core.table.manifest.AvroSchemas.record;

import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.row.RowBytes;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Statistics of columns inside a manifest or a manifest list (spec chapter 04, SimpleStats).
 *
 * <pre>
 *   _MIN_VALUES   bytes                         row with its arity
 *   _MAX_VALUES   bytes                         row with its arity
 *   _NULL_COUNTS  null or array of null or long
 * </pre>
 *
 * <p>No array of null counts at all is read as an empty one: nothing is known either way.
 */
final class StatsFormat {

  private StatsFormat() {}

  static Schema schema(String name) {
    return record(
        name,
        field("_MIN_VALUES", bytes()),
        field("_MAX_VALUES", bytes()),
        field("_NULL_COUNTS", nullable(array(nullable(int64())))));
  }

  static Object[] write(ColumnStats stats) {
    return new Object[] {
      stats.min().bytes(), stats.max().bytes(), Arrays.asList((Object[]) stats.nullCounts())
    };
  }

  static ColumnStats read(Object[] record) {
    byte[] min = (byte[]) record[0];
    byte[] max = (byte[]) record[1];
    List<?> counts = (List<?>) record[2];
    Long[] nullCounts = counts == null ? new Long[0] : counts.toArray(Long[]::new);
    return new ColumnStats(new RowBytes(min), new RowBytes(max), nullCounts);
  }
}
