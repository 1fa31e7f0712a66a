package io.obelus.core.table.verify;

import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.manifest.ManifestFile;
import io.obelus.core.table.snapshot.LiveFiles;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes statements of what mends faults. To find a snapshot to go back to, older ones are read, the
 * newest first, until each faulty file has one without it.
 */
final class Remedies {

  /** Of more older snapshots we do not read the manifests. */
  private static final int SNAPSHOTS_READ = 100;

  private final Table table;

  /** The newest snapshot without a file, by the file's name. */
  private final Map<String, Long> without = new HashMap<>();

  private Remedies(Table table) {
    this.table = table;
  }

  /**
   * The findings for these problems.
   *
   * @param snapshot that was verified; null if the table has none
   */
  static List<Finding> of(Table table, Snapshot snapshot, List<Problem> problems)
      throws IOException {
    Remedies remedies = new Remedies(table);
    remedies.search(snapshot, problems);
    List<Finding> findings = new ArrayList<>();
    for (Problem problem : problems) {
      Where where = problem.where();
      findings.add(
          new Finding(
              problem.severity(),
              problem.check(),
              where.partition(),
              where.bucket(),
              where.file(),
              where.position(),
              problem.message(),
              remedies.of(problem)));
    }
    return findings;
  }

  private void search(Snapshot snapshot, List<Problem> problems) throws IOException {
    Set<String> sought = new HashSet<>();
    for (Problem problem : problems) {
      if (problem.mend() == Mend.ROLLBACK && problem.subject() != null) {
        sought.add(problem.subject());
      }
    }
    List<Long> ids = snapshot == null ? List.of() : table.snapshots().ids();
    for (int i = ids.size() - 1, read = 0; i >= 0 && read < SNAPSHOTS_READ; i--) {
      if (ids.get(i) < snapshot.id() && !sought.isEmpty()) {
        read++;
        Set<String> used = used(ids.get(i));
        for (String name : Set.copyOf(sought)) {
          if (used != null && !used.contains(name)) {
            without.put(name, ids.get(i));
            sought.remove(name);
          }
        }
      }
    }
  }

  /** Names of all files of a snapshot; null if it cannot be read. */
  private Set<String> used(long id) throws IOException {
    try {
      Snapshot snapshot = table.snapshots().find(id).orElse(null);
      if (snapshot == null) {
        return null;
      }
      Set<String> names = new HashSet<>();
      names.add(snapshot.baseManifestList());
      names.add(snapshot.deltaManifestList());
      LiveFiles live = new LiveFiles(table, snapshot);
      for (ManifestFile manifest : live.manifestFiles()) {
        names.add(manifest.name());
      }
      for (ManifestEntry entry : live.entries(bucket -> true)) {
        names.add(entry.file().name());
      }
      if (snapshot.indexManifest() != null) {
        names.add(snapshot.indexManifest());
        for (IndexEntry entry : live.indexEntries()) {
          names.add(entry.fileName());
        }
      }
      return names;
    } catch (IOException | RuntimeException e) {
      return null; // no snapshot to go back to
    }
  }

  private String of(Problem problem) {
    String of = identifier(problem.table() == null ? table.name() : problem.table());
    return switch (problem.mend()) {
      case ROLLBACK -> rollback(problem, of);
      case OVERWRITE -> "INSERT OVERWRITE %s SELECT * FROM %s".formatted(of, of);
      case COMPACT -> call("compact", of, "");
      case FILE_INDEX -> call("rewrite_file_index", of, "");
      case FILE_INDEX_ANEW -> call("rewrite_file_index", of, ", anew => true");
      case COMPACT_MANIFEST -> call("compact_manifest", of, "");
      case ANALYZE -> "ANALYZE TABLE %s COMPUTE STATISTICS".formatted(of);
      case LATEST -> call("rollback", of, ", snapshot => " + problem.subject());
      case EXPIRE -> call("expire_snapshots", of, ", retain_max => " + problem.subject());
      case DELETE_TAG -> call("delete_tag", of, ", tag => " + literal(problem.subject()));
      case RESTORE -> "restore %s from a copy".formatted(problem.subject());
    };
  }

  private String rollback(Problem problem, String of) {
    Long id = problem.subject() == null ? null : without.get(problem.subject());
    if (id != null) {
      return call("rollback", of, ", snapshot => " + id);
    }
    Where where = problem.where();
    return "restore %s from a copy; there is no older snapshot without it"
        .formatted(where.file() == null ? table.name() : where.file());
  }

  private static String call(String procedure, String of, String more) {
    return "CALL sys.%s(table => %s%s)".formatted(procedure, literal(of), more);
  }

  /** A table or branch as a statement names it: a path stands behind the name of the source. */
  private static String identifier(String name) {
    if (name.indexOf('/') >= 0) {
      return "obelus." + quoted(name);
    }
    int branch = name.indexOf(Table.BRANCH_SUFFIX);
    if (branch < 0) {
      return name;
    }
    int last = name.lastIndexOf('.', branch) + 1;
    return name.substring(0, last) + quoted(name.substring(last));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
