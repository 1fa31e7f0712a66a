package io.obelus.core.table.snapshot;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds the snapshot that a user speaks of (spec chapter 15). IllegalArgumentException says what
 * there is if it does not exist.
 */
public record TimeTravel(Table table) {

  /**
   * What {@code VERSION AS OF} names: a tag, else the number of a snapshot. A tag whose name is a
   * number wins over the snapshot of that number.
   */
  public Snapshot version(String version) throws IOException {
    Optional<Tag> tag = table.tags().find(version);
    if (tag.isPresent()) {
      return tag.get().snapshot();
    }
    if (!version.matches("\\d{1,18}")) {
      try {
        return tag(version);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "version '%s' should be a tag or the number of a snapshot: %s"
                .formatted(version, e.getMessage()),
            e);
      }
    }
    return snapshot(Long.parseLong(version));
  }

  /** A snapshot by its number. One that expired is found as long as a tag keeps it. */
  public Snapshot snapshot(long id) throws IOException {
    try {
      return table.snapshots().get(id);
    } catch (IllegalArgumentException gone) {
      return table.tags().all().stream()
          .map(Tag::snapshot)
          .filter(snapshot -> snapshot.id() == id)
          .findFirst()
          .orElseThrow(() -> gone);
    }
  }

  /** The snapshot that a tag keeps. */
  public Snapshot tag(String name) throws IOException {
    return table.tags().get(name).snapshot();
  }

  /** The newest snapshot at or before a time, in milliseconds since 1970. */
  public Snapshot asOf(long millis) throws IOException {
    Optional<Snapshot> snapshot = table.snapshots().asOf(millis);
    if (snapshot.isPresent()) {
      return snapshot.get();
    }
    throw new IllegalArgumentException(
        "%s has no snapshot at or before %s; %s"
            .formatted(
                table.name(),
                Instant.ofEpochMilli(millis),
                table
                    .snapshots()
                    .earliest()
                    .map(
                        first ->
                            "its first one there is %d of %s"
                                .formatted(first.id(), Instant.ofEpochMilli(first.timeMillis())))
                    .orElse("it has none at all")));
  }
}
