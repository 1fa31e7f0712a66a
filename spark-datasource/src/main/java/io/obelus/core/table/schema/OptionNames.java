package io.obelus.core.table.schema;

import io.obelus.core.file.index.FileIndexSettings;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells slips from names of options. A table may carry options that nobody here knows, for the sake
 * of other programs; but a name that only just misses a known one, or begins like those that are
 * ours to know, was meant to do something and would do nothing. Looked at when options are set, not
 * when a table is opened: what others have stored stays as it is.
 */
final class OptionNames {

  /** Of Paimon 1.3, also in their older spellings. */
  private static final String OF_PAIMON =
      """
      aggregation.remove-record-on-delete alter-column-null-to-not-null.disabled async-file-write
      auto-create batch-scan-mode branch bucket bucket-append-ordered bucket-function.type
      bucket-key cache-page-size changelog-file.compression changelog-file.format
      changelog-file.prefix changelog-file.stats-mode changelog-producer
      changelog-producer.lookup-wait changelog-producer.row-deduplicate
      changelog-producer.row-deduplicate-ignore-fields changelog.num-retained.max
      changelog.num-retained.min changelog.time-retained clustering.columns
      clustering.history-partition.idle-to-full-sort clustering.history-partition.limit
      clustering.incremental clustering.strategy commit.callbacks commit.force-compact
      commit.force-create-snapshot commit.max-retries commit.max-retry-wait commit.min-retry-wait
      commit.strict-mode.last-safe-snapshot commit.timeout commit.user-prefix
      compaction.delete-ratio-threshold compaction.force-rewrite-all-files
      compaction.force-up-level-0 compaction.max-size-amplification-percent
      compaction.min.file-num compaction.offpeak-ratio compaction.offpeak.end.hour
      compaction.offpeak.start.hour compaction.optimization-interval compaction.size-ratio
      compaction.total-size-threshold consumer-id consumer.expiration-time
      consumer.ignore-progress consumer.mode continuous.discovery-interval
      cross-partition-upsert.bootstrap-parallelism cross-partition-upsert.index-ttl
      data-evolution.enabled data-file.external-paths data-file.external-paths.specific-fs
      data-file.external-paths.strategy data-file.path-directory data-file.prefix
      data-file.thin-mode deduplicate.ignore-delete delete-file.thread-num
      delete.force-produce-changelog deletion-vector.index-file.target-size
      deletion-vectors.bitmap64 deletion-vectors.enabled disable-explicit-type-casting
      dynamic-bucket.assigner-parallelism dynamic-bucket.initial-buckets
      dynamic-bucket.max-buckets dynamic-bucket.target-row-num dynamic-partition-overwrite
      end-input.check-partition-expire fields.default-aggregate-function
      file-index.in-manifest-threshold file-index.read.enabled file-operation.thread-num
      file-reader-async-threshold file.block-size file.compression file.compression.per.level
      file.compression.zstd-level file.format file.format.per.level
      file.suffix.include.compression first-row.ignore-delete force-lookup
      full-compaction.delta-commits ignore-delete ignore-update-before incremental-between
      incremental-between-scan-mode incremental-between-timestamp incremental-to-auto-tag
      index-file-in-data-file-dir local-merge-buffer-size local-sort.max-num-file-handles
      log.changelog-mode log.consistency log.format log.ignore-delete log.key.format log.scan
      log.scan.timestamp-millis lookup-compact lookup-compact.max-interval lookup-wait
      lookup.cache-file-retention lookup.cache-max-disk-size lookup.cache-max-memory-size
      lookup.cache-spill-compression lookup.cache.bloom.filter.enabled
      lookup.cache.bloom.filter.fpp lookup.cache.high-priority-pool-ratio lookup.hash-load-factor
      lookup.local-file-type lookup.merge-buffer-size lookup.merge-records-threshold
      manifest.compression manifest.delete-file-drop-stats manifest.format
      manifest.full-compaction-threshold-size manifest.merge-min-count manifest.target-file-size
      materialized-table.definition-query materialized-table.interval-freshness
      materialized-table.interval-freshness.time-unit materialized-table.logical-refresh-mode
      materialized-table.refresh-handler-bytes materialized-table.refresh-handler-description
      materialized-table.refresh-mode materialized-table.refresh-status merge-engine
      metadata.stats-dense-store metadata.stats-keep-first-n-columns metadata.stats-mode
      metadata.stats-mode.per.level metastore.partitioned-table metastore.tag-to-partition
      metastore.tag-to-partition.preview num-levels num-sorted-run.compaction-trigger
      num-sorted-run.stop-trigger orc.write.batch-size page-size parquet.enable.dictionary
      partial-update.ignore-delete partial-update.remove-record-on-delete
      partial-update.remove-record-on-sequence-group partition partition.default-name
      partition.end-input-to-done partition.expiration-batch-size
      partition.expiration-check-interval partition.expiration-max-num
      partition.expiration-strategy partition.expiration-time
      partition.idle-time-to-report-statistic partition.legacy-name partition.mark-done-action
      partition.mark-done-action.custom.class partition.mark-done-action.http.params
      partition.mark-done-action.http.url partition.sink-strategy partition.timestamp-formatter
      partition.timestamp-pattern path primary-key query-auth.enabled read.batch-size
      record-level.expire-time record-level.time-field row-tracking.enabled rowkind.field
      scan.bounded.watermark scan.creation-time-millis scan.fallback-branch
      scan.file-creation-time-millis scan.manifest.parallelism scan.max-splits-per-task scan.mode
      scan.plan-sort-partition scan.snapshot-id scan.tag-name scan.timestamp scan.timestamp-millis
      scan.version scan.watermark sequence.field sequence.field.sort-order
      sink.clustering.by-columns sink.clustering.strategy sink.process-time-zone
      sink.watermark-time-zone snapshot.clean-empty-directories
      snapshot.expire.clean-empty-directories snapshot.expire.execution-mode snapshot.expire.limit
      snapshot.ignore-empty-commit snapshot.num-retained.max snapshot.num-retained.min
      snapshot.time-retained snapshot.watermark-idle-timeout
      sort-compaction.local-sample.magnification sort-compaction.range-strategy sort-engine
      sort-spill-buffer-size sort-spill-threshold source.split.open-file-cost
      source.split.target-size spill-compression spill-compression.zstd-level stream-scan-mode
      streaming-read-append-overwrite streaming-read-mode streaming-read-overwrite
      streaming.read.snapshot.delay tag.automatic-completion tag.automatic-creation
      tag.batch.customized-name tag.callbacks tag.create-success-file tag.creation-delay
      tag.creation-period tag.creation-period-duration tag.default-time-retained
      tag.num-retained-max tag.period-formatter target-file-size type upsert-key
      write-buffer-for-append write-buffer-size write-buffer-spill.max-disk-size
      write-buffer-spillable write-max-writers-to-spill write-only write.batch-memory
      write.batch-size write.compaction-skip zorder.var-length-contribution
      """;

  /** Of Iceberg metadata beside a table, of Parquet files, of Paimon 2.0, and our own. */
  private static final String OF_OTHERS =
      """
      metadata.iceberg.compaction.max.file-num metadata.iceberg.compaction.min.file-num
      metadata.iceberg.database metadata.iceberg.delete-after-commit.enabled
      metadata.iceberg.format-version metadata.iceberg.glue.skip-archive
      metadata.iceberg.hadoop-conf-dir metadata.iceberg.hive-client-class
      metadata.iceberg.hive-conf-dir metadata.iceberg.hive-skip-update-stats
      metadata.iceberg.manifest-compression metadata.iceberg.manifest-legacy-version
      metadata.iceberg.previous-versions-max metadata.iceberg.storage
      metadata.iceberg.storage-location metadata.iceberg.table metadata.iceberg.uri
      parquet.block.size parquet.bloom.filter.enabled parquet.bloom.filter.expected.ndv
      parquet.bloom.filter.fpp parquet.bloom.filter.max.bytes parquet.columnindex.truncate.length
      parquet.compression.codec.zstd.level parquet.dictionary.page.size
      parquet.page.row.count.limit parquet.page.size parquet.page.size.check.estimate
      parquet.page.size.row.check.max parquet.page.size.row.check.min
      parquet.page.write-checksum.enabled parquet.statistics.truncate.length
      parquet.writer.version
      chain-table.enabled delete-map.enabled file-index.build-memory pk-clustering-override
      read.cache-size read.vectorized scan.level-0 sequence.snapshot-ordering write.merge-schema
      write.merge-schema.explicit-cast
      """;

  /** Ends of {@code fields.<columns>.…}. */
  private static final List<String> OF_FIELDS =
      List.of(
          "aggregate-function",
          "count-limit",
          "default-value",
          "distinct",
          "ignore-retract",
          "list-agg-delimiter",
          "nested-key",
          "sequence-group",
          "stats-mode");

  /** Whatever begins so is one of the known names. */
  private static final List<String> OURS =
      List.of("file-index.", "delete-map.", "deletion-vector.", "deletion-vectors.");

  private static final String FIELDS = "fields.";

  private static final Set<String> KNOWN = known();

  private OptionNames() {}

  private static Set<String> known() {
    Set<String> names = new TreeSet<>(List.of((OF_PAIMON + OF_OTHERS).strip().split("\\s+")));
    names.addAll(FileIndexSettings.columnsOptions());
    return names;
  }

  /** Refuses the first slip with an IllegalArgumentException that says what may have been meant. */
  static void check(Collection<String> names) {
    names.forEach(OptionNames::check);
  }

  private static void check(String name) {
    int end = name.lastIndexOf('.') + 1;
    if (KNOWN.contains(name) || FileIndexSettings.isOfOneIndex(name)) {
      return;
    } else if (name.startsWith(FIELDS) && end > FIELDS.length()) {
      checkNear(name, name.substring(0, end), name.substring(end), OF_FIELDS);
      return;
    }
    int setting =
        name.startsWith("parquet.") ? name.indexOf('#') : -1; // of one column, after the #
    checkNear(name, "", setting < 0 ? name : name.substring(0, setting), KNOWN);
    for (String prefix : OURS) {
      if (name.startsWith(prefix) && !FileIndexSettings.isOfKind(name)) { // its kind is named there
        throw new IllegalArgumentException(
            "option '%s' is not known; those that begin with '%s' are %s"
                .formatted(
                    name,
                    prefix,
                    KNOWN.stream().filter(known -> known.startsWith(prefix)).toList()));
      }
    }
  }

  /** Refuses {@code word}, what is left of a name without its beginning, if it is nearly known. */
  private static void checkNear(
      String name, String beginning, String word, Collection<String> known) {
    if (known.contains(word)) {
      return;
    }
    String plain = plain(word);
    int allowed = plain.length() < 6 ? -1 : plain.length() < 10 ? 1 : 2;
    for (int edits = 0; edits <= allowed; edits++) {
      for (String other : known) {
        if (edits(plain, plain(other)) == edits) {
          throw new IllegalArgumentException(
              ("option '%s' is not known; did you mean '%s'? A name for other programs "
                      + "has to be less like it")
                  .formatted(name, beginning + other));
        }
      }
    }
  }

  /** Letters and digits only: {@code Primary_Key} is {@code primary-key}. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** Letters to put in, take out, replace, or swap with the next one, to make one of the other. */
  private static int edits(String from, String to) {
    int[] before = new int[to.length() + 1];
    int[] last = new int[to.length() + 1];
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        row[j] = swapped ? Math.min(row[j], before[j - 2] + 1) : row[j];
      }
      int[] free = before;
      before = last;
      last = row;
      row = free;
    }
    return last[to.length()];
  }
}
