package io.obelus.core.table.snapshot;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.testing.CoreTable;
import io.obelus.testing.DamagesTables;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.GoldenRows;
import io.obelus.testing.GoldenTables;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.SameRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagsTest {

  @TempDir private Path directory;

  /** A table of two snapshots: keys 1, then 1 and 2. */
  private CoreTable table() throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1"));
    table.write(insert(1L, "a"));
    table.write(insert(2L, "b"));
    return table;
  }

  @Test
  void a_tag_is_made_renamed_listed_and_deleted() throws IOException {
    CoreTable table = table();
    Tags tags = table.table().tags();
    assertThat(tags.names()).isEmpty();
    Snapshot first = table.table().snapshots().get(1);
    tags.create("eve", first, null);
    tags.create("2024-01-01 10", first, Duration.ofHours(36));
    assertThat(tags.names()).containsExactly("2024-01-01 10", "eve");
    assertThat(tags.get("eve")).isEqualTo(new Tag("eve", first, null, null));
    Tag kept = tags.get("2024-01-01 10");
    assertThat(kept.retained()).isEqualTo(Duration.ofHours(36));
    assertThat(kept.created()).isBetween(LocalDateTime.now().minusDays(1), LocalDateTime.now());

    tags.rename("eve", "7");
    assertThat(tags.all()).extracting(Tag::name).containsExactly("2024-01-01 10", "7");
    assertThat(tags.delete("eve")).isFalse();
    assertThat(tags.delete("7")).isTrue();
    assertThat(tags.names()).containsExactly("2024-01-01 10");
  }

  @Test
  void a_name_is_taken_once() throws IOException {
    Tags tags = table().table().tags();
    Snapshot latest = table1().orElseThrow();
    tags.create("a", latest, null);
    tags.create("b", latest, null);
    assertThatThrownBy(() -> tags.create("a", latest, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has a tag 'a' already");
    assertThatThrownBy(() -> tags.rename("a", "b")).hasMessageContaining("has a tag 'b' already");
    assertThatThrownBy(() -> tags.rename("c", "d")).hasMessageEndingWith("no tag 'c'; it has a, b");
    assertThatThrownBy(() -> tags.create("c", latest, Duration.ZERO))
        .hasMessageContaining("longer than nothing");
  }

  private java.util.Optional<Snapshot> table1() throws IOException {
    return CoreTable.open(directory.resolve("t")).table().snapshots().latest();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a/b", "../x", "a:b", "a,b", "a\nb", "a\\b"})
  void a_name_that_a_file_or_a_list_cannot_have_is_refused(String name) throws IOException {
    Tags tags = table().table().tags();
    Snapshot latest = table1().orElseThrow();
    assertThatThrownBy(() -> tags.create(name, latest, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "' is no name for a tag");
    assertThat(tags.find(name)).isEmpty();
    assertThat(tags.delete(name)).isFalse();
  }

  @Test
  void a_snapshot_that_expires_while_it_is_tagged_leaves_no_tag() throws IOException {
    Table table = table().table();
    Snapshot first = table.snapshots().get(1);
    FailingStorage storage =
        FailingStorage.counting(table.storage())
            .before(
                operation -> operation.startsWith("createIfAbsent"),
                () -> table.storage().delete(table.directory().snapshot(1)));
    Tags tags = new Tags(storage, table.directory());
    assertThatThrownBy(() -> tags.create("t", first, null))
        .hasMessageContaining("has no snapshot 1 any more; tag 't' was not made");
    assertThat(tags.names()).isEmpty();
  }

  @Test
  void what_a_version_names_is_a_tag_first_then_a_snapshot_also_one_that_only_a_tag_keeps()
      throws IOException {
    Table table = table().table();
    TimeTravel travel = new TimeTravel(table);
    table.tags().create("2", table.snapshots().get(1), null);
    assertThat(travel.version("2").id()).isEqualTo(1);
    assertThat(travel.snapshot(2).id()).isEqualTo(2);
    assertThat(travel.tag("2").id()).isEqualTo(1);
    assertThat(travel.version("1").id()).isEqualTo(1);
    table.storage().delete(table.directory().snapshot(1));
    assertThat(travel.version("1").id()).isEqualTo(1);
    assertThatThrownBy(() -> travel.version("3")).hasMessageEndingWith("no snapshot 3; it has 2");
    assertThatThrownBy(() -> travel.version("x"))
        .hasMessageStartingWith("version 'x' should be a tag or the number of a snapshot: ")
        .hasMessageEndingWith("has no tag 'x'; it has 2");
  }

  @Test
  void a_tag_file_is_the_snapshot_and_how_long_it_is_kept() throws IOException {
    Snapshot first = table().table().snapshots().get(1);
    LocalDateTime created = LocalDateTime.of(2026, 11, 30, 2, 16, 11, 716834861);
    String text =
        new String(
            TagFormat.write(new Tag("t", first, created, Duration.ofHours(36))),
            StandardCharsets.UTF_8);
    String snapshot = new String(SnapshotFormat.write(first), StandardCharsets.UTF_8);
    assertThat(text)
        .isEqualTo(
            snapshot.substring(0, snapshot.length() - 2)
                + ",\n  \"tagCreateTime\" : [ 2026, 11, 30, 2, 16, 11, 716834861 ],\n"
                + "  \"tagTimeRetained\" : 129600.000000000\n}");
    assertThat(new String(TagFormat.write(new Tag("t", first, null, null)), StandardCharsets.UTF_8))
        .isEqualTo(snapshot);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[2026, 1, 2, 3]", "[2026, 13, 2, 3, 4]", "\"today\"", "[2026, 1, 2, 3, 4, 5.5]"})
  @DamagesTables("a tag is damaged")
  void a_time_that_is_none_is_reported_with_the_file(String time) throws IOException {
    Table table = table().table();
    table.tags().create("t", table.snapshots().get(1), Duration.ofDays(1));
    Path file = directory.resolve("t/tag/tag-t");
    Files.writeString(
        file, Files.readString(file).replaceAll("(\"tagCreateTime\" : )\\[.*?]", "$1" + time));
    assertThatThrownBy(() -> table.tags().get("t"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("tag-t at byte 0: key 'tagCreateTime' should be ");
  }

  @Test
  void paimon_reads_our_tags_and_we_read_its_tags() throws Exception {
    CoreTable ours = table();
    PaimonTable theirs = new PaimonTables(directory).open(directory.resolve("t"));
    Tags tags = ours.table().tags();
    tags.create("ours", ours.table().snapshots().get(1), null);
    tags.create("ours kept", ours.table().snapshots().get(1), Duration.ofHours(36));
    theirs.table().createTag("theirs", 1);
    theirs.table().createTag("theirs kept", 2, Duration.ofMinutes(90));

    for (String tag : List.of("ours", "ours kept", "theirs")) {
      assertThat(theirs.with("scan.tag-name", tag).rows()).containsExactly(List.of(1L, "a"));
      assertThat(ours.rows(tags.get(tag).snapshot(), LevelZero.MERGE))
          .containsExactly(List.of(1L, "a"));
    }
    assertThat(Files.readString(directory.resolve("t/tag/tag-ours")))
        .isEqualTo(Files.readString(directory.resolve("t/tag/tag-theirs")));
    var kept = theirs.table().tagManager().getOrThrow("ours kept");
    assertThat(kept.getTagTimeRetained()).isEqualTo(Duration.ofHours(36));
    assertThat(kept.getTagCreateTime()).isEqualTo(tags.get("ours kept").created());
    var other = theirs.table().tagManager().getOrThrow("theirs kept");
    assertThat(tags.get("theirs kept").retained()).isEqualTo(other.getTagTimeRetained());
    assertThat(tags.get("theirs kept").created()).isEqualTo(other.getTagCreateTime());

    tags.rename("ours", "new name");
    tags.delete("theirs");
    assertThat(theirs.table().tagManager().tags().values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrder("new name", "ours kept", "theirs kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t1", "release-4"})
  void golden_tags_read_as_their_writer_reads_them(String tag) throws IOException {
    CoreTable table = CoreTable.open(GoldenTables.unpack("pk_tags_branch_expire", directory));
    RowType type = table.table().schema().rowType();
    SameRows.check(
        tag,
        table.rows(table.table().tags().get(tag).snapshot(), LevelZero.SKIP),
        GoldenRows.of("pk_tags_branch_expire", "tag-" + tag, type));
  }
}
