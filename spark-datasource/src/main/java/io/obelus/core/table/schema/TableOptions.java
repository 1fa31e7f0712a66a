package io.obelus.core.table.schema;

import io.obelus.core.file.data.DataFileSettings;
import io.obelus.core.file.data.DataFileSettings.StatsSettings;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.file.index.FileIndexSettings;
import io.obelus.core.row.BucketFunction;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The meaning of a table's options (spec chapter 15): typed, with defaults. Read at the edge, so
 * that what is below takes just the values it needs. Every accessor refuses a value it cannot read
 * with an IllegalArgumentException that names option, value and what is allowed.
 */
public record TableOptions(TableSchema schema) implements Serializable {

  /** {@link #bucket()} of a keyed table whose buckets are made as keys come. */
  public static final int DYNAMIC_BUCKET = -1;

  /** {@link #bucket()} of a keyed table whose rows wait for a bucket. */
  public static final int POSTPONE_BUCKET = -2;

  static final String BUCKET = "bucket";
  static final String BUCKET_KEY = "bucket-key";
  static final String BUCKET_FUNCTION = "bucket-function.type";
  static final String DELETION_VECTORS = "deletion-vectors.enabled";
  static final String DELETE_MAP = "delete-map.enabled";
  static final String FILE_FORMAT = "file.format";
  static final String SEQUENCE_FIELD = "sequence.field";
  static final String ROW_KIND_FIELD = "rowkind.field";
  static final String STATS_MODE = "metadata.stats-mode";

  /** Our own: most bytes that the indexes of one data file may take while they are built. */
  static final String FILE_INDEX_MEMORY = "file-index.build-memory";

  /** Whether file indexes are read; writing does not look at it. */
  public static final String FILE_INDEX_READ = "file-index.read.enabled";

  /** Our own: most bytes of footers and index directories that a JVM remembers; 0 = none. */
  public static final String READ_CACHE_SIZE = "read.cache-size";

  private static final long MB = 1 << 20;
  private static final String ZSTD_LEVEL = "parquet.compression.codec.zstd.level";

  private OptionValues values() {
    return new OptionValues(schema.options());
  }

  /**
   * Refuses what this release cannot do, by name: unknown merge engine, dynamic or postpone
   * buckets, a changelog producer, both kinds of deletion bitmaps at once, and so on. For a reader,
   * only what would make its answer wrong.
   */
  public void checkReadable() {
    new Features(schema).checkReadable();
  }

  /** Of {@link #checkReadable} only that keys and sequence fields that differ are told apart. */
  public void checkComparable() {
    new Features(schema).checkComparable();
  }

  /** As {@link #checkReadable}, for a writer. */
  public void checkWritable() {
    new Features(schema).checkWritable();
  }

  /** Refuses, by name, what keeps files that we would not know of when snapshots expire. */
  public void checkExpirable() {
    new Features(schema).checkExpirable();
  }

  /** Asks for each value once, so that a wrong one is refused before it is stored. */
  void checkValues() {
    bucket();
    bucketKeys();
    bucketFunction();
    deletionCoding();
    sequenceFields();
    sequenceDescending();
    ignoreDelete();
    rowKindField();
    writeOnly();
    dataFileSettings();
    fileIndexes();
    readsFileIndexes();
    readCacheSize();
    levels();
    sizeRatio();
    maxSizeAmplification();
    compactionMinFiles();
    compactionMostStruckOut();
    splitTargetSize();
    splitOpenFileCost();
    manifestTargetSize();
    manifestMergeMinCount();
    manifestFullCompactionThreshold();
    partitionDefaultName();
    partitionLegacyName();
    commitMaxRetries();
    commitTimeout();
    commitMinRetryWait();
    commitMaxRetryWait();
    dynamicPartitionOverwrite();
    snapshotsRetainedMin();
    snapshotsRetainedMax();
    snapshotTimeRetained();
    snapshotExpireLimit();
    automaticTags();
    tagsRetainedMax();
    tagTimeRetained();
  }

  /**
   * A time as options have it: {@code 10 ms}, {@code 36 h}, {@code 7 d}.
   *
   * @param name of what it is for, to be named if it is wrong
   */
  public static Duration duration(String name, String value) {
    return new OptionValues(Map.of(name, value)).duration(name, null);
  }

  /** Number of buckets; -1 = unaware (append) or dynamic (keyed). */
  public int bucket() {
    int buckets = values().number(BUCKET, DYNAMIC_BUCKET, POSTPONE_BUCKET);
    if (buckets == 0) {
      throw OptionValues.bad(BUCKET, "0", "a number above 0, or -1, or -2");
    }
    return buckets;
  }

  /**
   * Columns of the bucket key: option {@code bucket-key}, else the trimmed primary key; empty if
   * rows have no bucket.
   */
  public List<String> bucketKeys() {
    List<String> given = columns(BUCKET_KEY);
    return given.isEmpty() ? schema.trimmedPrimaryKeys() : given;
  }

  private List<String> columns(String name) {
    List<String> columns = values().list(name);
    for (String column : columns) {
      if (schema.rowType().indexOf(column) < 0) {
        throw OptionValues.bad(
            name, values().text(name, ""), "made of columns; they are " + schema.rowType().names());
      }
    }
    return columns;
  }

  public BucketFunction.Type bucketFunction() {
    String word = values().word(BUCKET_FUNCTION, "default", "default", "mod");
    return BucketFunction.Type.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** How deletion bitmaps are kept; empty for a merge-on-read table. */
  public Optional<DeletionCoding> deletionCoding() {
    boolean vectors = values().flag(DELETION_VECTORS, false);
    boolean map = values().flag(DELETE_MAP, false);
    boolean wide = values().flag("deletion-vectors.bitmap64", false);
    if (vectors && map) {
      throw new IllegalArgumentException(
          ("options '%s' and '%s' are both true; a table keeps its deletion bitmaps "
                  + "in one way, so set one of them")
              .formatted(DELETION_VECTORS, DELETE_MAP));
    } else if (map) {
      return Optional.of(DeletionCoding.DELETE_MAP);
    } else if (vectors) {
      return Optional.of(wide ? DeletionCoding.BITMAP64 : DeletionCoding.BITMAP32);
    }
    return Optional.empty();
  }

  /** Columns by which rows of one key are ordered before the time of writing is. */
  public List<String> sequenceFields() {
    return columns(SEQUENCE_FIELD);
  }

  public boolean sequenceDescending() {
    return values()
        .word("sequence.field.sort-order", "ascending", "ascending", "descending")
        .equals("descending");
  }

  /** Also under its older names {@code <engine>.ignore-delete}. */
  public boolean ignoreDelete() {
    for (String prefix : List.of("", "deduplicate.", "partial-update.", "first-row.")) {
      if (values().has(prefix + "ignore-delete")) {
        return values().flag(prefix + "ignore-delete", false);
      }
    }
    return false;
  }

  /** Column that holds the kind of each row ({@code rowkind.field}). */
  public Optional<String> rowKindField() {
    return columns(ROW_KIND_FIELD).stream().findFirst();
  }

  /** Also under its older name {@code write.compaction-skip}. */
  public boolean writeOnly() {
    return values().flag("write-only", values().flag("write.compaction-skip", false));
  }

  public DataFileSettings dataFileSettings() {
    OptionValues values = values();
    String compression =
        values.word("file.compression", "zstd", "zstd", "snappy", "gzip", "lz4", "uncompressed");
    Map<String, String> parquet = new HashMap<>();
    schema
        .options()
        .forEach(
            (name, value) -> {
              if (name.startsWith("parquet.")) {
                parquet.put(name, value);
              }
            });
    parquet.putIfAbsent(
        ZSTD_LEVEL, Integer.toString(values.number("file.compression.zstd-level", 1, 1)));
    return new DataFileSettings(
        values.text("data-file.prefix", "data-"),
        values.bytes("target-file-size", schema.keyed() ? 128 * MB : 256 * MB),
        compression,
        values.bytes("file.block-size", values.bytes("parquet.block.size", 128 * MB)),
        !values.flag("data-file.thin-mode", false),
        stats(values),
        parquet);
  }

  /** Which indexes new data files get. */
  public FileIndexSettings fileIndexes() {
    return FileIndexSettings.of(
        schema.rowType(),
        schema.options(),
        values().bytes("file-index.in-manifest-threshold", 500),
        values().bytes(FILE_INDEX_MEMORY, 64 * MB));
  }

  /** Columns of which new data files get an index of this kind; keys of maps are not among them. */
  public List<String> indexedColumns(String kind) {
    return values().list("file-index." + kind + ".columns").stream()
        .filter(name -> schema.rowType().indexOf(name) >= 0)
        .toList();
  }

  /** Whether reads ask the indexes of data files. */
  public boolean readsFileIndexes() {
    return values().flag(FILE_INDEX_READ, true);
  }

  /** {@code read.cache-size}, bytes. */
  public long readCacheSize() {
    return values().bytes(READ_CACHE_SIZE, 32 * MB);
  }

  private StatsSettings stats(OptionValues values) {
    Map<String, String> columns = new HashMap<>();
    for (String column : schema.rowType().names()) {
      String name = "fields." + column + ".stats-mode";
      if (values.has(name)) {
        columns.put(column, statsMode(values, name));
      }
    }
    return new StatsSettings(
        statsMode(values, STATS_MODE),
        columns,
        values.flag("metadata.stats-dense-store", true),
        values.number("metadata.stats-keep-first-n-columns", -1, -1));
  }

  private static String statsMode(OptionValues values, String name) {
    String mode = values.text(name, "truncate(16)").strip().toLowerCase(Locale.ROOT);
    if (!mode.matches("none|counts|full|truncate\\(0*[1-9]\\d{0,8}\\)")) {
      throw OptionValues.bad(
          name, values.text(name, ""), "none, counts, full or truncate(<length>)");
    }
    return mode;
  }

  /** {@code num-sorted-run.compaction-trigger}. */
  public int compactionTrigger() {
    return values().number("num-sorted-run.compaction-trigger", 5, 1);
  }

  /** {@code num-levels}. */
  public int levels() {
    return values().number("num-levels", compactionTrigger() + 1, 2);
  }

  /** {@code compaction.size-ratio}, percent. */
  public int sizeRatio() {
    return values().number("compaction.size-ratio", 1, 0);
  }

  /** {@code compaction.max-size-amplification-percent}. */
  public int maxSizeAmplification() {
    return values().number("compaction.max-size-amplification-percent", 200, 0);
  }

  /** {@code compaction.min.file-num}: so many small files of an append table are merged. */
  public int compactionMinFiles() {
    return values().number("compaction.min.file-num", 5, 1);
  }

  /**
   * {@code compaction.delete-ratio-threshold}: share of struck-out rows, 0 to 1, above which a file
   * of an append table is rewritten.
   */
  public double compactionMostStruckOut() {
    return values().share("compaction.delete-ratio-threshold", 0.2);
  }

  /** {@code source.split.target-size}, bytes. */
  public long splitTargetSize() {
    return values().bytes("source.split.target-size", 128 * MB);
  }

  /** {@code source.split.open-file-cost}, bytes. */
  public long splitOpenFileCost() {
    return values().bytes("source.split.open-file-cost", 4 * MB);
  }

  /** {@code manifest.target-file-size}, bytes. */
  public long manifestTargetSize() {
    return values().bytes("manifest.target-file-size", 8 * MB);
  }

  public int manifestMergeMinCount() {
    return values().number("manifest.merge-min-count", 30, 0);
  }

  /** {@code manifest.full-compaction-threshold-size}, bytes. */
  public long manifestFullCompactionThreshold() {
    return values().bytes("manifest.full-compaction-threshold-size", 16 * MB);
  }

  /** {@code partition.default-name}. */
  public String partitionDefaultName() {
    String name = values().text("partition.default-name", "__DEFAULT_PARTITION__");
    if (name.isBlank()) {
      throw OptionValues.bad("partition.default-name", name, "a name for a directory");
    }
    return name;
  }

  /** {@code partition.legacy-name}. */
  public boolean partitionLegacyName() {
    return values().flag("partition.legacy-name", true);
  }

  public int commitMaxRetries() {
    return values().number("commit.max-retries", 10, 0);
  }

  /** {@code commit.timeout}; empty if only the number of retries is limited. */
  public Optional<Duration> commitTimeout() {
    return Optional.ofNullable(values().duration("commit.timeout", null));
  }

  /** {@code commit.min-retry-wait}. */
  public Duration commitMinRetryWait() {
    return values().duration("commit.min-retry-wait", Duration.ofMillis(10));
  }

  /** {@code commit.max-retry-wait}. */
  public Duration commitMaxRetryWait() {
    return values().duration("commit.max-retry-wait", Duration.ofSeconds(10));
  }

  /** {@code snapshot.num-retained.min}: so many stay however old they are. */
  public int snapshotsRetainedMin() {
    return values().number("snapshot.num-retained.min", 10, 1);
  }

  /** {@code snapshot.num-retained.max}: no more stay however young they are. */
  public int snapshotsRetainedMax() {
    return values().number("snapshot.num-retained.max", Integer.MAX_VALUE, 1);
  }

  /** {@code snapshot.time-retained}. */
  public Duration snapshotTimeRetained() {
    return values().duration("snapshot.time-retained", Duration.ofHours(1));
  }

  /** {@code snapshot.expire.limit}: so many expire at once. */
  public int snapshotExpireLimit() {
    return values().number("snapshot.expire.limit", 50, 0);
  }

  /**
   * {@code tag.automatic-creation} by the time of commits; empty if nothing is tagged by itself.
   */
  public Optional<TagPeriod> automaticTags() {
    OptionValues values = values();
    if (values.text("tag.automatic-creation", "none").strip().equalsIgnoreCase("none")) {
      return Optional.empty();
    }
    String period = values.word("tag.creation-period", "daily", "daily", "hourly", "two-hours");
    String day =
        values
                .word("tag.period-formatter", "with_dashes", "with_dashes", "without_dashes")
                .equals("with_dashes")
            ? "yyyy-MM-dd"
            : "yyyyMMdd";
    boolean daily = period.equals("daily");
    return Optional.of(
        new TagPeriod(
            daily ? Duration.ofDays(1) : Duration.ofHours(period.equals("hourly") ? 1 : 2),
            values.duration("tag.creation-delay", Duration.ZERO),
            daily ? day : day + " HH",
            processTimeZone()));
  }

  private ZoneId processTimeZone() {
    String name = "sink.process-time-zone";
    String zone = values().text(name, ZoneId.systemDefault().getId());
    try {
      return ZoneId.of(zone.strip());
    } catch (DateTimeException e) {
      throw OptionValues.bad(name, zone, "a time zone such as Europe/Paris or UTC");
    }
  }

  /** {@code tag.num-retained-max}: so many automatic tags stay. */
  public int tagsRetainedMax() {
    return values().number("tag.num-retained-max", Integer.MAX_VALUE, 1);
  }

  /** {@code tag.default-time-retained}: so long an automatic tag stays; empty if for ever. */
  public Optional<Duration> tagTimeRetained() {
    return Optional.ofNullable(values().duration("tag.default-time-retained", null));
  }

  public boolean dynamicPartitionOverwrite() {
    return values().flag("dynamic-partition-overwrite", true);
  }

  /** {@code commit.user-prefix}, empty if none. */
  public String commitUserPrefix() {
    return values().text("commit.user-prefix", "");
  }
}
