package io.obelus.core.table.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.iceberg.IcebergOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.FallbackKey;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionNamesTest {

  private static List<String> names(Class<?>... homes) throws IllegalAccessException {
    List<String> names = new ArrayList<>();
    for (Class<?> home : homes) {
      for (Field field : home.getFields()) {
        if (field.getType() == ConfigOption.class) {
          ConfigOption<?> option = (ConfigOption<?>) field.get(null);
          names.add(option.key());
          for (FallbackKey older : option.fallbackKeys()) {
            names.add(older.getKey());
          }
        }
      }
    }
    return names;
  }

  @Test
  void each_option_of_paimon_is_known() throws Exception {
    List<String> names = names(CoreOptions.class, IcebergOptions.class);
    assertThat(names).hasSizeGreaterThan(250);
    assertThatCode(() -> OptionNames.check(names)).doesNotThrowAnyException();
  }

  @Test
  void options_of_other_programs_are_kept() {
    List<String> others =
        List.of(
            "comment",
            "owner",
            "my.own",
            "delta.appendOnly",
            "transient_lastDdlTime",
            "numRows",
            "EXTERNAL",
            "lake.team",
            "quality",
            "types",
            "paths",
            "parquet.compression",
            "orc.compress",
            "sink.parallelism",
            "scan.parallelism",
            "scan.infer-parallelism",
            "log.system",
            "lookup.async",
            "lookup.cache",
            "lookup.refresh.async",
            "sink.writer-cpu",
            "sink.committer-memory",
            "sink.operator-uid.suffix",
            "source.operator-uid.suffix",
            "scan.watermark.idle-timeout",
            "scan.split-enumerator.mode",
            "end-input.watermark",
            "scan.remove-normalize",
            "partition.idle-time-to-done",
            "partition.time-interval",
            "precommit-compact",
            "unaware-bucket.compaction.parallelism",
            "blob-field",
            "postpone.default-bucket-num",
            "commit.callback.a.B.param",
            "global-index.enabled",
            "source.checkpoint-align.enabled",
            "streaming-read.shuffle-bucket-with-partition",
            "fields.a.aggregate-function",
            "fields.a,b.sequence-group",
            "fields.a.b.stats-mode",
            "fields.a.of-tomorrow",
            "parquet.enable.dictionary#a",
            "file-index.bitmap.a.version");
    assertThatCode(() -> OptionNames.check(others)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "bukcet, bucket",
    "buckets, bucket",
    "Bucket, bucket",
    "'bucket ', bucket",
    "primary-keys, primary-key",
    "primary_key, primary-key",
    "primarykey, primary-key",
    "sequence-field, sequence.field",
    "merge.engine, merge-engine",
    "deletion-vector.enabled, deletion-vectors.enabled",
    "Deletion-Vectors.Enabled, deletion-vectors.enabled",
    "file-index.bitmap.colums, file-index.bitmap.columns",
    "file-index.bitmpa.columns, file-index.bitmap.columns",
    "fileindex.bsi.columns, file-index.bsi.columns",
    "write-onyl, write-only",
    "snapshot.num-retain.max, snapshot.num-retained.max",
    "scan.snapshot_id, scan.snapshot-id",
    "fields.a.sequence-grup, fields.a.sequence-group",
    "fields.a.stats_mode, fields.a.stats-mode",
    "parquet.enable.dictionnary#a, parquet.enable.dictionary"
  })
  void a_slip_is_refused_with_what_was_meant(String name, String meant) {
    assertThatThrownBy(() -> OptionNames.check(List.of(name)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option '%s' is not known; did you mean '%s'? A name for other programs has to be less like it",
            name, meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file-index.bitmap.a", "file-index.bitmap.a.b.version", "file-index.x"})
  void what_begins_like_an_option_of_indexes_is_one(String name) {
    assertThatThrownBy(() -> OptionNames.check(List.of(name)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "option '%s' is not known; those that begin with 'file-index.' are [", name)
        .hasMessageContaining("file-index.range-bitmap.columns")
        .hasMessageContaining("file-index.read.enabled");
  }

  @Test
  void a_kind_of_index_that_is_not_known_is_named() {
    StructType columns = StructType.fromDDL("k INT, v STRING");
    Map<String, String> options = Map.of("file-index.btree.columns", "v");
    assertThatThrownBy(() -> NewTable.of(columns, List.of(), options, null).schema(1))
        .hasMessageContaining("asks for an index of kind 'btree', which is not known");
  }

  @Test
  void names_are_looked_at_when_options_are_set_and_not_later() {
    StructType columns = StructType.fromDDL("k INT, v STRING");
    assertThatThrownBy(
            () -> NewTable.of(columns, List.of(), Map.of("primary-keys", "k"), null).schema(1))
        .hasMessageContaining("did you mean 'primary-key'?");
    TableSchema table = NewTable.of(columns, List.of(), Map.of("primary-key", "k"), null).schema(1);
    assertThatThrownBy(
            () -> new OptionChange(Map.of("bukcet", "2"), Set.of()).applyTo(table, false, 2))
        .hasMessageContaining("did you mean 'bucket'?");
    TableSchema ofOthers = table.next(Map.of("bukcet", "2", "bucket", "2"), 2);
    TableSchema next =
        new OptionChange(Map.of("write-only", "true"), Set.of()).applyTo(ofOthers, false, 3);
    assertThat(next.options()).containsEntry("bukcet", "2");
    assertThat(new OptionChange(Map.of(), Set.of("bukcet")).applyTo(next, false, 4).options())
        .doesNotContainKey("bukcet");
  }
}
