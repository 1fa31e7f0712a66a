package io.obelus.core.table.verify;

import io.obelus.core.table.schema.Schemas;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The schemas of a snapshot and of its files are there and can be read. */
final class SchemaCheck implements Check<State> {

  static final String NAME = "schema";

  @Override
  public void check(State state, Report report) throws IOException {
    SortedSet<Long> used = new TreeSet<>(List.of(state.snapshot().schemaId()));
    state.live().forEach(entry -> used.add(entry.file().schemaId()));
    Schemas schemas = new Schemas(state.table().storage(), state.table().directory()); // no cache
    Set<Long> present = new HashSet<>(schemas.ids());
    for (long id : used) {
      String path = state.table().directory().schema(id);
      if (!present.contains(id)) {
        report.error(
            NAME,
            Where.file(path),
            "the schema file is missing, and files of snapshot %d were written with it"
                .formatted(state.snapshot().id()),
            Mend.RESTORE,
            path);
      } else {
        report.guard(NAME, Where.file(path), Mend.RESTORE, path, () -> schemas.get(id));
      }
    }
  }
}
