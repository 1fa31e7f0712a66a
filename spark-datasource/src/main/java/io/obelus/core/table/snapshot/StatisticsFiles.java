package io.obelus.core.table.snapshot;

import io.obelus.core.table.schema.MetadataJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The files in {@code statistics/} of a table; branches share them. Several snapshots may name the
 * same file. Thread-safe; keeps nothing.
 */
public record StatisticsFiles(Table table) {

  /**
   * The statistics that a snapshot names; empty if it names none.
   *
   * @param snapshot null if the table has none
   * @throws io.obelus.core.io.CorruptFileException if they do not fit their schema
   */
  public Optional<TableStatistics> of(Snapshot snapshot) throws IOException {
    if (snapshot == null || snapshot.statistics() == null) {
      return Optional.empty();
    }
    String path = table.directory().statistics(snapshot.statistics());
    byte[] content = table.storage().read(path);
    return Optional.of(StatisticsFormat.read(path, content, table.schemas()::rowType));
  }

  /** Writes a new file; returns its name. Where that fails, no file is left. */
  public String write(TableStatistics statistics) throws IOException {
    String name = "stat-" + UUID.randomUUID() + "-0";
    byte[] content =
        StatisticsFormat.write(statistics, table.schemas().rowType(statistics.schemaId()));
    String path = table.directory().statistics(name);
    try (OutputStream out = table.storage().create(path)) {
      out.write(content);
    } catch (IOException | RuntimeException e) {
      try {
        table.storage().delete(path);
      } catch (IOException | RuntimeException again) {
        e.addSuppressed(again); // an orphan stays
      }
      throw e;
    }
    return name;
  }

  /** Statistics of columns as they stand in a file. */
  public String columnsAsJson(TableStatistics statistics) {
    byte[] json =
        MetadataJson.write(
            StatisticsFormat.columns(statistics, table.schemas().rowType(statistics.schemaId())));
    return new String(json, StandardCharsets.UTF_8);
  }
}
