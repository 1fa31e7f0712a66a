package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The snapshot files of one table and their hints (spec chapters 01 and 03). Thread-safe; keeps
 * nothing.
 */
public record Snapshots(Storage storage, TableDirectory directory) implements java.io.Serializable {

  /** The newest snapshot; empty if nothing was ever committed. */
  public Optional<Snapshot> latest() throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** The oldest snapshot that still exists. */
  public Optional<Snapshot> earliest() throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Snapshot {@code id}; IllegalArgumentException names the ids there are if it is not among them.
   */
  public Snapshot get(long id) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** All snapshots, oldest first. */
  public List<Snapshot> all() throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** The newest snapshot with {@code timeMillis} at or before the given one. */
  public Optional<Snapshot> asOf(long timeMillis) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /**
   * Claims the snapshot's id: the one step that makes a commit visible. False if somebody else has
   * it.
   */
  public boolean create(Snapshot snapshot) throws IOException {
    throw new UnsupportedOperationException("to be written");
  }

  /** Writes hint LATEST, best effort: a failure is swallowed, since readers probe. */
  public void hintLatest(long id) {
    throw new UnsupportedOperationException("to be written");
  }
}
