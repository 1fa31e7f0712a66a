package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.obelus.core.table.schema.TagPeriod;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Tag;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutomaticTagsTest {

  @TempDir private Path directory;

  private CoreTable table(Map<String, String> options) throws IOException {
    Map<String, String> all = new HashMap<>(options);
    all.put("bucket", "1");
    all.put("sink.process-time-zone", "UTC");
    return CoreTable.create(
        directory.resolve("t"), List.of("k BIGINT NOT NULL"), List.of(), List.of("k"), all);
  }

  private static final Map<String, String> DAILY = Map.of("tag.automatic-creation", "process-time");

  /** The newest snapshot as if it had been committed then. */
  private static Snapshot at(CoreTable table, String time) throws IOException {
    Snapshot s = table.table().snapshots().latest().orElseThrow();
    return new Snapshot(
        s.version(),
        s.id(),
        s.schemaId(),
        s.baseManifestList(),
        s.baseManifestListSize(),
        s.deltaManifestList(),
        s.deltaManifestListSize(),
        s.changelogManifestList(),
        s.changelogManifestListSize(),
        s.indexManifest(),
        s.commitUser(),
        s.commitIdentifier(),
        s.kind(),
        Instant.parse(time).toEpochMilli(),
        s.totalRecordCount(),
        s.deltaRecordCount(),
        s.changelogRecordCount(),
        s.watermark(),
        s.statistics(),
        s.properties(),
        s.nextRowId());
  }

  private static void commit(CoreTable table, String time) throws IOException {
    table.write(insert((long) time.hashCode()));
    AfterCommit.run(table.table(), at(table, time));
  }

  @ParameterizedTest
  @CsvSource({
    "PT24H, PT0S, yyyy-MM-dd, 2024-03-01T00:00:00Z, 2024-02-29",
    "PT24H, PT1H, yyyy-MM-dd, 2024-03-01T00:59:59Z, 2024-02-28",
    "PT24H, PT1H, yyyyMMdd, 2024-03-01T01:00:00Z, 20240229",
    "PT1H, PT0S, yyyy-MM-dd HH, 2024-01-01T00:30:00Z, 2023-12-31 23",
    "PT2H, PT0S, yyyy-MM-dd HH, 2024-01-01T05:59:00Z, 2024-01-01 02"
  })
  void a_tag_is_called_after_the_last_period_that_is_over(
      Duration length, Duration delay, String names, String time, String tag) {
    TagPeriod period = new TagPeriod(length, delay, names, ZoneOffset.UTC);
    assertThat(period.due(Instant.parse(time).toEpochMilli())).isEqualTo(tag);
    assertThat(period.isName(tag)).isTrue();
    assertThat(period.isName("release")).isFalse();
    assertThat(new TagPeriod(length, delay, names, ZoneId.of("Asia/Tokyo")).isName(tag)).isTrue();
  }

  @Test
  void the_first_commit_of_a_day_is_tagged_with_the_day_before() throws IOException {
    CoreTable table = table(DAILY);
    commit(table, "2024-01-02T08:00:00Z");
    commit(table, "2024-01-02T09:00:00Z");
    commit(table, "2024-01-03T00:00:00Z");
    commit(table, "2024-01-06T00:00:00Z");
    assertThat(table.table().tags().all())
        .extracting(Tag::name, tag -> tag.snapshot().id())
        .containsExactly(tuple("2024-01-01", 1L), tuple("2024-01-02", 3L), tuple("2024-01-05", 4L));
  }

  @Test
  void the_oldest_go_and_tags_of_people_stay() throws IOException {
    Map<String, String> options = new HashMap<>(DAILY);
    options.put("tag.num-retained-max", "2");
    options.put("tag.default-time-retained", "3 d");
    CoreTable table = table(options);
    commit(table, "2024-01-02T08:00:00Z");
    Snapshot first = table.table().snapshots().get(1);
    table.table().tags().create("mine", first, null);
    table.table().tags().create("short", first, Duration.ofNanos(1));
    for (int day = 3; day < 7; day++) {
      commit(table, "2024-01-0" + day + "T08:00:00Z");
    }
    assertThat(table.table().tags().names()).containsExactly("2024-01-04", "2024-01-05", "mine");
    assertThat(table.table().tags().get("2024-01-05").retained()).isEqualTo(Duration.ofDays(3));
  }

  @Test
  void no_tag_is_made_where_none_is_asked_for() throws IOException {
    CoreTable table = table(Map.of());
    commit(table, "2024-01-02T08:00:00Z");
    AfterCommit.run(
        table.with("tag.automatic-creation", "process-time").with("write-only", "true").table(),
        at(table, "2024-01-02T08:00:00Z"));
    assertThat(table.table().tags().names()).isEmpty();
  }

  @Test
  void a_failure_is_a_warning_and_snapshots_expire_all_the_same() throws IOException {
    CoreTable table = table(DAILY);
    table.write(insert(1L));
    table.write(insert(2L));
    FailingStorage storage = FailingStorage.failingAt(1, table.table().storage());
    AfterCommit.run(
        table
            .on(storage)
            .with("snapshot.num-retained.min", "1")
            .with("snapshot.num-retained.max", "1")
            .table(),
        at(table, "2024-01-02T08:00:00Z"));
    assertThat(storage.hasFailed()).isTrue();
    assertThat(table.table().tags().names()).isEmpty();
    assertThat(table.table().snapshots().ids()).containsExactly(2L);
  }

  @ParameterizedTest
  @CsvSource({
    "tag.automatic-creation, watermark, is not supported by this release: tags that others",
    "tag.automatic-creation, batch, is not supported by this release: tags that others",
    "tag.creation-period-duration, 5 min, is not supported by this release: tags are made",
    "tag.automatic-completion, true, is not supported by this release: only the last",
    "tag.creation-period, weekly, 'but should be one of daily, hourly, two-hours'",
    "tag.num-retained-max, 0, but should be a whole number of at least 1"
  })
  void what_is_not_there_yet_is_refused_by_name(String option, String value, String words)
      throws IOException {
    CoreTable table = table(DAILY).with(option, value);
    assertThatThrownBy(() -> table.table().options().checkWritable())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("option '" + option + "'")
        .hasMessageContaining(words);
  }
}
