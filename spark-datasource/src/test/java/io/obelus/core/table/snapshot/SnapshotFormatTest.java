package io.obelus.core.table.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.table.schema.MetadataJson;
import io.obelus.testing.GoldenTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFormatTest {

  @TempDir private Path directory;

  /** The compaction of spec chapter 03. */
  private static final String COMPACTION =
      """
      {
        "version" : 3,
        "id" : 6,
        "schemaId" : 0,
        "baseManifestList" : "manifest-list-f97418d6-12e9-44f9-8faa-b366e1300db6-2",
        "baseManifestListSize" : 1095,
        "deltaManifestList" : "manifest-list-f97418d6-12e9-44f9-8faa-b366e1300db6-3",
        "deltaManifestListSize" : 1005,
        "changelogManifestList" : null,
        "indexManifest" : "index-manifest-36d6ca06-e07a-4028-bca0-4916dac715e7-0",
        "commitUser" : "e590cdb3-440c-4d85-977f-2c5768ba7008",
        "commitIdentifier" : 9223372036854775807,
        "commitKind" : "COMPACT",
        "timeMillis" : 1796004111137,
        "logOffsets" : { },
        "totalRecordCount" : 3,
        "deltaRecordCount" : -2,
        "changelogRecordCount" : 0,
        "nextRowId" : 0
      }""";

  private static Snapshot read(String json) {
    return SnapshotFormat.read("t/snapshot/snapshot-6", 6, json.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Snapshot snapshot) {
    return new String(SnapshotFormat.write(snapshot), StandardCharsets.UTF_8);
  }

  @Test
  void what_another_writer_wrote_comes_out_byte_for_byte() throws IOException {
    int files = 0;
    for (String name : GoldenTables.names()) {
      Path table = GoldenTables.unpack(name, directory.resolve(name));
      try (Stream<Path> all = Files.walk(table)) {
        for (Path file :
            all.filter(f -> f.getFileName().toString().matches("(snapshot-\\d|tag-).*")).toList()) {
          String found = Files.readString(file);
          Snapshot snapshot =
              SnapshotFormat.read(MetadataJson.read(file.toString(), Files.readAllBytes(file)));
          assertThat(text(snapshot)).as(file.toString()).isEqualTo(found);
          files++;
        }
      }
    }
    assertThat(files).isGreaterThan(181);
  }

  @Test
  void the_compaction_of_the_specification_is_read_and_written() {
    Snapshot snapshot = read(COMPACTION);
    assertThat(snapshot.kind()).isEqualTo(Snapshot.Kind.COMPACT);
    assertThat(snapshot.commitIdentifier()).isEqualTo(Snapshot.BATCH_IDENTIFIER);
    assertThat(snapshot.changelogManifestList()).isNull();
    assertThat(snapshot.deltaRecordCount()).isEqualTo(-2);
    assertThat(snapshot.watermark()).isNull();
    assertThat(snapshot.properties()).isEmpty();
    assertThat(text(snapshot)).isEqualTo(COMPACTION);
  }

  @Test
  void all_optional_keys_have_their_place() {
    Snapshot full =
        new Snapshot(
            3,
            6,
            2,
            "base",
            1L,
            "delta",
            2L,
            "changelog",
            3L,
            "index",
            "me",
            4,
            Snapshot.Kind.ANALYZE,
            5,
            6L,
            7L,
            8L,
            9L,
            "stat-1",
            Map.of("a", "b"),
            10L);
    assertThat(read(text(full))).isEqualTo(full);
    assertThat(text(full))
        .containsSubsequence(
            "\"changelogManifestList\" : \"changelog\"",
            "\"changelogManifestListSize\" : 3",
            "\"changelogRecordCount\" : 8",
            "\"watermark\" : 9",
            "\"statistics\" : \"stat-1\"",
            "\"properties\" : {\n    \"a\" : \"b\"\n  }",
            "\"nextRowId\" : 10");
  }

  @Test
  void old_snapshots_lack_keys_and_new_ones_have_more() {
    String old =
        COMPACTION
            .replace("  \"version\" : 3,\n", "")
            .replaceAll("  \"\\w+Size\" : \\d+,\n", "")
            .replace("  \"totalRecordCount\" : 3,\n", "")
            .replace(",\n  \"nextRowId\" : 0", "");
    assertThat(read(old).version()).isEqualTo(1);
    assertThat(read(old).baseManifestListSize()).isNull();
    assertThat(read(old).totalRecordCount()).isNull();
    String newer = COMPACTION.replace("\"logOffsets\" : { }", "\"uuid\" : \"u\"");
    assertThat(read(newer)).isEqualTo(read(COMPACTION));
  }

  @Test
  void what_a_newer_engine_means_is_refused_by_name() {
    assertThatThrownBy(() -> read(COMPACTION.replace("\"version\" : 3", "\"version\" : 4")))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessageContaining("t/snapshot/snapshot-6 at byte 0: snapshot has version 4");
    assertThatThrownBy(() -> read(COMPACTION.replace("COMPACT", "REWRITE")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "t/snapshot/snapshot-6: commit kind 'REWRITE' is not one of [APPEND, COMPACT,");
  }

  @Test
  void damage_is_reported_with_file_and_key() {
    assertThatThrownBy(() -> read(COMPACTION.substring(0, 100)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("t/snapshot/snapshot-6 at byte 100: this is no JSON: ");
    assertThatThrownBy(() -> read(COMPACTION.replace("\"id\" : 6", "\"id\" : 5")))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("key 'id' should be 6, as the file name says, but is 5");
    assertThatThrownBy(() -> read(COMPACTION.replace("\"deltaManifestList\"", "\"delta\"")))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("key 'deltaManifestList' should be a text but is missing");
  }
}
