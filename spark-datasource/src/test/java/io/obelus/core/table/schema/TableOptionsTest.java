package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.data.DataFileSettings;
import io.obelus.core.file.deletion.DeletionCoding;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.row.BucketFunction;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnTypes;
import io.obelus.core.row.RowType;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableOptionsTest {

  private static final RowType COLUMNS =
      new RowType(
          List.of(
              new Column(0, "k", ColumnTypes.parse("INT NOT NULL")),
              new Column(1, "p", ColumnTypes.parse("INT NOT NULL")),
              new Column(2, "v", ColumnTypes.parse("STRING"))));

  private static TableOptions of(List<String> key, Map<String, String> options) {
    return new TableOptions(new TableSchema(3, 0, COLUMNS, 2, List.of("p"), key, options, null, 0));
  }

  private static TableOptions keyed(String... namesAndValues) {
    return of(List.of("k", "p"), map(namesAndValues));
  }

  private static TableOptions append(String... namesAndValues) {
    return of(List.of(), map(namesAndValues));
  }

  private static Map<String, String> map(String... namesAndValues) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  @Test
  void options_that_are_not_there_have_their_defaults() {
    TableOptions options = keyed();
    assertThat(options.bucket()).isEqualTo(-1);
    assertThat(options.bucketKeys()).containsExactly("k");
    assertThat(options.bucketFunction()).isEqualTo(BucketFunction.Type.DEFAULT);
    assertThat(options.deletionCoding()).isEmpty();
    assertThat(options.sequenceFields()).isEmpty();
    assertThat(options.sequenceDescending()).isFalse();
    assertThat(options.ignoreDelete()).isFalse();
    assertThat(options.rowKindField()).isEmpty();
    assertThat(options.writeOnly()).isFalse();
    assertThat(options.compactionTrigger()).isEqualTo(5);
    assertThat(options.levels()).isEqualTo(6);
    assertThat(options.sizeRatio()).isEqualTo(1);
    assertThat(options.maxSizeAmplification()).isEqualTo(200);
    assertThat(options.splitTargetSize()).isEqualTo(128L << 20);
    assertThat(options.splitOpenFileCost()).isEqualTo(4L << 20);
    assertThat(options.manifestTargetSize()).isEqualTo(8L << 20);
    assertThat(options.manifestMergeMinCount()).isEqualTo(30);
    assertThat(options.manifestFullCompactionThreshold()).isEqualTo(16L << 20);
    assertThat(options.partitionDefaultName()).isEqualTo("__DEFAULT_PARTITION__");
    assertThat(options.partitionLegacyName()).isTrue();
    assertThat(options.commitMaxRetries()).isEqualTo(10);
    assertThat(options.commitTimeout()).isEmpty();
    assertThat(options.commitMinRetryWait()).isEqualTo(Duration.ofMillis(10));
    assertThat(options.commitMaxRetryWait()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.dynamicPartitionOverwrite()).isTrue();
    assertThat(options.commitUserPrefix()).isEmpty();
    assertThat(options.dataFileSettings())
        .isEqualTo(
            new DataFileSettings(
                "data-",
                128L << 20,
                "zstd",
                128L << 20,
                true,
                new DataFileSettings.StatsSettings("truncate(16)", Map.of(), true, -1),
                Map.of("parquet.compression.codec.zstd.level", "1")));
    assertThat(append().dataFileSettings().targetSize()).isEqualTo(256L << 20);
    assertThat(append().bucketKeys()).isEmpty();
  }

  @Test
  void options_that_are_there_are_read() {
    TableOptions options =
        keyed(
            "bucket", "8",
            "bucket-key", " k ",
            "bucket-function.type", "mod",
            "deletion-vectors.enabled", "TRUE",
            "sequence.field", "v, p",
            "sequence.field.sort-order", "descending",
            "partial-update.ignore-delete", "true",
            "num-sorted-run.compaction-trigger", "3",
            "target-file-size", "64kb",
            "file.compression", "Snappy",
            "file.block-size", "1g",
            "data-file.thin-mode", "true",
            "metadata.stats-mode", "counts",
            "fields.v.stats-mode", "truncate(8)",
            "parquet.page.size", "1024",
            "commit.max-retry-wait", "2 min");
    assertThat(options.bucket()).isEqualTo(8);
    assertThat(options.bucketKeys()).containsExactly("k");
    assertThat(options.bucketFunction()).isEqualTo(BucketFunction.Type.MOD);
    assertThat(options.deletionCoding()).contains(DeletionCoding.BITMAP32);
    assertThat(options.sequenceFields()).containsExactly("v", "p");
    assertThat(options.sequenceDescending()).isTrue();
    assertThat(options.ignoreDelete()).isTrue();
    assertThat(options.levels()).isEqualTo(4);
    assertThat(options.commitMaxRetryWait()).isEqualTo(Duration.ofMinutes(2));
    DataFileSettings files = options.dataFileSettings();
    assertThat(files.targetSize()).isEqualTo(64 << 10);
    assertThat(files.compression()).isEqualTo("snappy");
    assertThat(files.rowGroupSize()).isEqualTo(1 << 30);
    assertThat(files.keyColumns()).isFalse();
    assertThat(files.stats().mode()).isEqualTo("counts");
    assertThat(files.stats().columns()).containsExactly(Map.entry("v", "truncate(8)"));
    assertThat(files.parquet()).containsEntry("parquet.page.size", "1024");
    options.checkWritable();
  }

  @Test
  void deletion_bitmaps_are_kept_in_one_way() {
    assertThat(
            keyed("deletion-vectors.enabled", "true", "deletion-vectors.bitmap64", "true")
                .deletionCoding())
        .contains(DeletionCoding.BITMAP64);
    assertThat(keyed("delete-map.enabled", "true").deletionCoding())
        .contains(DeletionCoding.DELETE_MAP);
    assertThatThrownBy(
            () ->
                keyed("deletion-vectors.enabled", "true", "delete-map.enabled", "true")
                    .checkReadable())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'deletion-vectors.enabled' and 'delete-map.enabled' are both true");
  }

  @ParameterizedTest
  @CsvSource({
    "128 mb, 134217728",
    "64kb, 65536",
    "1g, 1073741824",
    "4096, 4096",
    "7 b, 7",
    "' 2 MB ', 2097152",
    "3 kibibytes, 3072",
    "1 tb, 1099511627776"
  })
  void sizes_have_units_of_1024(String text, long bytes) {
    assertThat(append("target-file-size", text).dataFileSettings().targetSize()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "bucket, 0, a number above 0",
    "bucket, -3, a whole number of at least -2",
    "bucket, many, a whole number of at least -2",
    "bucket-key, w, 'made of columns; they are [k, p, v]'",
    "bucket-key, 'k,,p', a list of names",
    "bucket-function.type, hive, 'one of default, mod'",
    "deletion-vectors.enabled, yes, true or false",
    "sequence.field, w, made of columns",
    "sequence.field.sort-order, up, 'one of ascending, descending'",
    "rowkind.field, w, made of columns",
    "target-file-size, 12 parsecs, a size such as 128 mb",
    "target-file-size, -1, a size such as 128 mb",
    "target-file-size, 999999999999 tb, a size such as 128 mb",
    "file.compression, brotli, one of zstd",
    "metadata.stats-mode, truncate(0), 'none, counts, full or truncate(<length>)'",
    "fields.v.stats-mode, some, 'none, counts, full or truncate(<length>)'",
    "num-levels, 1, a whole number of at least 2",
    "commit.timeout, soon, a time such as 10 ms",
    "commit.max-retries, 9999999999, a whole number of at least 0"
  })
  void a_value_that_makes_no_sense_is_refused_by_name(String name, String value, String allowed) {
    TableOptions options =
        name.equals("bucket") ? keyed(name, value) : keyed(name, value, "bucket", "1");
    assertThatThrownBy(options::checkWritable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "option '" + name + "' is '" + value + "' but should be " + allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "merge-engine, partial-update",
    "merge-engine, first-row",
    "type, format-table",
    "manifest.format, orc",
    "branch, dev",
    "scan.fallback-branch, dev",
    "scan.snapshot-id, 4",
    "scan.mode, from-snapshot",
    "log.scan, from-snapshot",
    "log.scan.timestamp-millis, 4",
    "scan.creation-time-millis, 4",
    "incremental-between, '1,2'",
    "data-file.path-directory, data",
    "index-file-in-data-file-dir, true",
    "data-evolution.enabled, true",
    "fields.v.default-value, x"
  })
  void what_would_make_a_reader_wrong_is_refused_by_name(String name, String value) {
    assertThatThrownBy(keyed("bucket", "1", name, value)::checkReadable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "option '" + name + "' = '" + value + "' is not supported by this release: ");
  }

  @ParameterizedTest
  @CsvSource({
    "bucket, -1",
    "bucket, -2",
    "changelog-producer, lookup",
    "file.format, orc",
    "file.format.per.level, 0:avro",
    "data-file.external-paths, s3://x",
    "record-level.expire-time, 1 d",
    "row-tracking.enabled, true",
    "ignore-update-before, true",
    "delete.force-produce-changelog, true",
    "metadata.iceberg.storage, table-location",
    "commit.callbacks, a.Callback",
    "tag.callbacks, a.Callback",
    "manifest.compression, snappy"
  })
  void what_a_writer_cannot_do_is_refused_by_name_and_can_be_read(String name, String value) {
    TableOptions options =
        name.equals("bucket") ? keyed(name, value) : keyed("bucket", "1", name, value);
    assertThatCode(options::checkReadable).doesNotThrowAnyException();
    assertThatThrownBy(options::checkWritable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "option '" + name + "' = '" + value + "' is not supported by this release: ");
  }

  @Test
  void older_names_of_options_count() {
    assertThat(keyed("write.compaction-skip", "true").writeOnly()).isTrue();
    assertThat(keyed("write.compaction-skip", "true", "write-only", "false").writeOnly()).isFalse();
    assertThat(keyed("partial-update.ignore-delete", "true").ignoreDelete()).isTrue();
    assertThatCode(
            keyed("bucket", "1", "log.scan", "from-snapshot", "scan.mode", "latest")::checkReadable)
        .doesNotThrowAnyException();
  }

  @Test
  void a_key_that_spans_partitions_can_only_be_read() {
    TableOptions options = of(List.of("k"), Map.of("bucket", "1"));
    options.checkReadable();
    assertThatThrownBy(options::checkWritable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("primary key [k] lacks a partition column of [p]");
  }

  @Test
  void an_append_table_needs_neither_key_nor_buckets() {
    append().checkWritable();
    append("merge-engine", "partial-update").checkReadable(); // says nothing without a key
    assertThatThrownBy(append("bucket", "-2")::checkWritable)
        .hasMessage(
            "option 'bucket' is '-2' but should be -1 or a number above 0, since the table has no key");
  }

  @Test
  void of_the_tables_of_others_those_with_other_merge_engines_are_refused(@TempDir Path directory)
      throws IOException {
    Storage storage = new HadoopStorage(new Configuration(false));
    Set<String> unreadable = new TreeSet<>();
    Set<String> unwritable = new TreeSet<>();
    for (String name : GoldenTables.names()) {
      String path = GoldenTables.unpack(name, directory.resolve(name)).toString();
      TableOptions options =
          new TableOptions(new Schemas(storage, new TableDirectory(path)).latest().orElseThrow());
      if (refused(options::checkReadable)) {
        unreadable.add(name);
      } else if (refused(options::checkWritable)) {
        unwritable.add(name);
      }
    }
    assertThat(unreadable).containsExactly("pk_aggregation", "pk_first_row", "pk_partial_update");
    assertThat(unwritable).containsExactly("pk_changelog_lookup", "pk_dynamic_bucket");
  }

  private static boolean refused(Runnable check) {
    try {
      check.run();
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
