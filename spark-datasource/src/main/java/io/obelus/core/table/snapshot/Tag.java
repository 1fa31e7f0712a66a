package io.obelus.core.table.snapshot;

import java.io.Serializable;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Objects;

/**
 * A snapshot that has a name and stays readable when it expires (spec chapter 12).
 *
 * @param snapshot a copy of it, so that the tag needs no snapshot file
 * @param created local time of whoever made the tag; null unless {@code retained} is given
 * @param retained how long the tag is to be kept after that; null if until it is deleted
 */
public record Tag(String name, Snapshot snapshot, LocalDateTime created, Duration retained)
    implements Serializable {

  public Tag {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(snapshot, "snapshot");
  }
}
