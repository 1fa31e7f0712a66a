package io.obelus.core.table.maintenance;

import static io.obelus.testing.PaimonTable.Row.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactManifestsTest {

  @TempDir private Path directory;

  @Test
  void what_many_manifests_said_one_says_and_both_engines_go_on() throws Exception {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k BIGINT NOT NULL", "v STRING"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "2"));
    assertThat(CompactManifests.run(table.table()))
        .isEqualTo(new CompactManifests.Result(0, 0, 0, 0));
    for (long k = 0; k < 7; k++) {
      table.write(insert(k, "a"), insert(k + 1, "b"));
    }
    List<List<Object>> rows = table.rows();
    CompactManifests.Result result = CompactManifests.run(table.table());
    assertThat(result.before()).isGreaterThan(5);
    assertThat(result.after()).isEqualTo(1);
    assertThat(result.bytesAfter()).isLessThan(result.bytesBefore());
    Snapshot latest = table.table().snapshots().latest().orElseThrow();
    assertThat(latest.id()).isEqualTo(8);
    assertThat(latest.kind()).isEqualTo(Snapshot.Kind.COMPACT);
    assertThat(latest.deltaRecordCount()).isZero();
    List<ManifestFile> manifests = new LiveFiles(table.table(), latest).manifestFiles();
    assertThat(manifests).hasSize(1).allMatch(manifest -> manifest.deleted() == 0);
    assertThat(table.rows()).isEqualTo(rows);

    assertThat(CompactManifests.run(table.table()).after()).isEqualTo(1);
    assertThat(table.latestSnapshot()).isEqualTo(8);

    var theirs = new PaimonTables(directory).open(directory.resolve("t"));
    assertThat(theirs.rows()).isEqualTo(rows);
    theirs.write(insert(20L, "c"));
    table.write(insert(21L, "d"));
    assertThat(table.rows()).isEqualTo(theirs.rows()).hasSize(rows.size() + 2);
  }
}
