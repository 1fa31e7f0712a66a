package io.obelus.core.table.manifest;

import static io.obelus.core.table.manifest.AvroSchemas.array;
import static io.obelus.core.table.manifest.AvroSchemas.bytes;
import static io.obelus.core.table.manifest.AvroSchemas.field;
import static io.obelus.core.table.manifest.AvroSchemas.int32;
import static io.obelus.core.table.manifest.AvroSchemas.int64;
import static io.obelus.core.table.manifest.AvroSchemas.nullable;
import static io.obelus.core.table.manifest.AvroSchemas.record;
import static io.obelus.core.table.manifest.AvroSchemas.string;
import static io.obelus.core.table.manifest.AvroSchemas.timestampMillis;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.core.row.RowBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A manifest: data files that come and go, one record each (spec chapter 04).
 *
 * <pre>
 *   _VERSION        int     always 2
 *   _KIND           int     0 = ADD, 1 = DELETE
 *   _PARTITION      bytes   row of the partition values, with its arity
 *   _BUCKET         int     -2 = postpone
 *   _TOTAL_BUCKETS  int     -1 = dynamic or unaware
 *   _FILE           record  what is known of the file
 * </pre>
 */
final class ManifestFormat {

  static final int V2 = 2;

  private static final int ADD = 0;
  private static final int DELETE = 1;
  private static final int FILE = 5; // index of _FILE

  static final AvroContainer.Kind KIND =
      new AvroContainer.Kind(
          record(
              AvroSchemas.ROOT,
              field("_VERSION", int32()),
              field("_KIND", int32()),
              field("_PARTITION", bytes()),
              field("_BUCKET", int32()),
              field("_TOTAL_BUCKETS", int32()),
              field(
                  "_FILE",
                  record(
                      "record__FILE",
                      field("_FILE_NAME", string()),
                      field("_FILE_SIZE", int64()),
                      field("_ROW_COUNT", int64()),
                      field("_MIN_KEY", bytes()),
                      field("_MAX_KEY", bytes()),
                      field("_KEY_STATS", StatsFormat.schema("record__FILE__KEY_STATS")),
                      field("_VALUE_STATS", StatsFormat.schema("record__FILE__VALUE_STATS")),
                      field("_MIN_SEQUENCE_NUMBER", int64()),
                      field("_MAX_SEQUENCE_NUMBER", int64()),
                      field("_SCHEMA_ID", int64()),
                      field("_LEVEL", int32()),
                      field("_EXTRA_FILES", array(string())),
                      field("_CREATION_TIME", nullable(timestampMillis())),
                      field("_DELETE_ROW_COUNT", nullable(int64())),
                      field("_EMBEDDED_FILE_INDEX", nullable(bytes())),
                      field("_FILE_SOURCE", nullable(int32())),
                      field("_VALUE_STATS_COLS", nullable(array(string()))),
                      field("_EXTERNAL_PATH", nullable(string())),
                      field("_FIRST_ROW_ID", nullable(int64())),
                      field("_WRITE_COLS", nullable(array(string())))))),
          "manifest",
          V2);

  private ManifestFormat() {}

  static Object[] write(ManifestEntry entry) {
    return new Object[] {
      V2,
      entry.kind() == ManifestEntry.Kind.ADD ? ADD : DELETE,
      entry.bucket().partition().bytes(),
      entry.bucket().bucket(),
      entry.totalBuckets(),
      writeFile(entry.file())
    };
  }

  private static Object[] writeFile(DataFile file) {
    return new Object[] {
      file.name(),
      file.size(),
      file.rowCount(),
      file.minKey().bytes(),
      file.maxKey().bytes(),
      StatsFormat.write(file.keyStats()),
      StatsFormat.write(file.valueStats()),
      file.minSequence(),
      file.maxSequence(),
      file.schemaId(),
      file.level(),
      file.extraFiles(),
      file.creationTime(),
      file.deleteRowCount(),
      file.embeddedIndex() == null ? null : file.embeddedIndex().bytes(),
      file.source(),
      file.valueStatsColumns(),
      file.externalPath(),
      file.firstRowId(),
      file.writeColumns()
    };
  }

  /**
   * Hands over the entries of a manifest in order, without those of buckets that are not wanted:
   * their bytes are passed over, not decoded.
   */
  static void read(
      String file, byte[] content, Predicate<BucketId> wanted, Consumer<ManifestEntry> entries) {
    Reader reader = new Reader(file, wanted);
    AvroContainer.read(
        file, content, KIND, FILE, reader::wants, record -> entries.accept(reader.entry(record)));
  }

  /** One pass over a manifest; neighbours share their bucket and their lists of column names. */
  private static final class Reader {
    private final Place place;
    private final Predicate<BucketId> wanted;
    private BucketId bucket;
    private List<String> statsColumns = List.of();

    Reader(String file, Predicate<BucketId> wanted) {
      this.place = Place.startOf(file);
      this.wanted = wanted;
    }

    boolean wants(Object[] record) {
      return record[2] == null || record[3] == null || wanted.test(bucket(record));
    }

    ManifestEntry entry(Object[] record) {
      return new ManifestEntry(
          kind((Integer) record[1]),
          bucket(record),
          (Integer) record[4],
          readFile((Object[]) record[5]));
    }

    private BucketId bucket(Object[] record) {
      byte[] partition = (byte[]) record[2];
      int number = (Integer) record[3];
      if (bucket == null
          || bucket.bucket() != number
          || !Arrays.equals(bucket.partition().bytes(), partition)) {
        bucket = new BucketId(new RowBytes(partition), number);
      }
      return bucket;
    }

    private ManifestEntry.Kind kind(int code) {
      return switch (code) {
        case ADD -> ManifestEntry.Kind.ADD;
        case DELETE -> ManifestEntry.Kind.DELETE;
        default -> throw new CorruptFileException(place, "_KIND", "0 or 1", code);
      };
    }

    private DataFile readFile(Object[] record) {
      return new DataFile(
          (String) record[0],
          (Long) record[1],
          (Long) record[2],
          new RowBytes((byte[]) record[3]),
          new RowBytes((byte[]) record[4]),
          StatsFormat.read((Object[]) record[5]),
          StatsFormat.read((Object[]) record[6]),
          (Long) record[7],
          (Long) record[8],
          (Long) record[9],
          (Integer) record[10],
          strings(record[11]),
          (Long) record[12],
          (Long) record[13],
          record[14] == null ? null : new RowBytes((byte[]) record[14]),
          source((String) record[0], (Integer) record[15]),
          shared(strings(record[16])),
          (String) record[17],
          (Long) record[18],
          strings(record[19]));
    }

    private Integer source(String file, Integer source) {
      if (source != null && source != DataFile.SOURCE_APPEND && source != DataFile.SOURCE_COMPACT) {
        throw new CorruptFileException(place, "_FILE_SOURCE of " + file, "0, 1 or null", source);
      }
      return source;
    }

    // A table of a thousand files and a hundred columns would hold each column's name a thousand
    // times.
    private List<String> shared(List<String> columns) {
      if (columns == null || columns.equals(statsColumns)) {
        return columns == null ? null : statsColumns;
      }
      statsColumns = columns;
      return columns;
    }

    private static List<String> strings(Object items) {
      if (items == null) {
        return null;
      }
      List<String> strings = new ArrayList<>();
      for (Object item : (List<?>) items) {
        strings.add((String) item);
      }
      return List.copyOf(strings);
    }
  }
}
