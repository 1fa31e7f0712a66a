package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The snapshot files of one table and their hints (spec chapters 01 and 03). Thread-safe; keeps
 * nothing, so that each question is answered by what is there now.
 */
public record Snapshots(Storage storage, TableDirectory directory) implements Serializable {

  private static final String PREFIX = "snapshot-";
  private static final int TRIES = 3; // a snapshot may expire between listing and reading

  /** The newest snapshot; empty if nothing was ever committed. */
  public Optional<Snapshot> latest() throws IOException {
    return reading(this::latestId, this::listedMax);
  }

  /** The oldest snapshot that still exists. */
  public Optional<Snapshot> earliest() throws IOException {
    return reading(this::earliestId, this::earliestId);
  }

  @FunctionalInterface
  private interface IdSource {
    OptionalLong get() throws IOException;
  }

  /**
   * Reads the snapshot that an id names. If its file has gone, the id is asked for again: it
   * expired since it was listed, or a hint spoke of a snapshot that was rolled back.
   */
  private Optional<Snapshot> reading(IdSource first, IdSource again) throws IOException {
    FileNotFoundException gone = null;
    for (int tried = 0; tried <= TRIES; tried++) {
      OptionalLong id = tried == 0 ? first.get() : again.get();
      if (id.isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(read(id.getAsLong()));
      } catch (FileNotFoundException e) {
        gone = e;
      }
    }
    throw gone;
  }

  private OptionalLong latestId() throws IOException {
    OptionalLong hint = hint(directory.latestHint());
    if (hint.isPresent()
        && hint.getAsLong() > 0
        && !storage.exists(directory.snapshot(hint.getAsLong() + 1))) {
      return hint;
    }
    return listedMax();
  }

  private OptionalLong earliestId() throws IOException {
    OptionalLong hint = hint(directory.earliestHint());
    if (hint.isPresent() && storage.exists(directory.snapshot(hint.getAsLong()))) {
      return hint;
    }
    return ids().stream().mapToLong(Long::longValue).min();
  }

  private OptionalLong listedMax() throws IOException {
    return ids().stream().mapToLong(Long::longValue).max();
  }

  /** What a hint says; empty if it is missing or makes no sense, which is allowed. */
  private OptionalLong hint(String file) throws IOException {
    try {
      String text = new String(storage.read(file), StandardCharsets.UTF_8).strip();
      return text.matches("\\d{1,18}")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    }
  }

  /** Ids of the snapshots that exist, ascending. */
  public List<Long> ids() throws IOException {
    return storage.list(directory.snapshots()).stream()
        .map(Storage.Entry::name)
        .filter(name -> name.matches(PREFIX + "\\d{1,18}"))
        .map(name -> Long.valueOf(name.substring(PREFIX.length())))
        .sorted()
        .toList();
  }

  private Snapshot read(long id) throws IOException {
    String file = directory.snapshot(id);
    return SnapshotFormat.read(file, id, storage.read(file));
  }

  /**
   * Snapshot {@code id}; IllegalArgumentException names the ids there are if it is not among them.
   */
  public Snapshot get(long id) throws IOException {
    try {
      return read(id);
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException(
          "%s has no snapshot %d; it has %s".formatted(directory.history(), id, span(ids())), e);
    }
  }

  /** Snapshot {@code id}; empty if it does not exist. */
  public Optional<Snapshot> find(long id) throws IOException {
    try {
      return Optional.of(read(id));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private static String span(List<Long> ids) {
    if (ids.isEmpty()) {
      return "none";
    }
    long first = ids.get(0);
    long last = ids.get(ids.size() - 1);
    if (last - first + 1 != ids.size()) {
      return ids.toString();
    }
    return first == last ? Long.toString(first) : first + " to " + last;
  }

  /** All snapshots, oldest first. One that expires meanwhile is left out. */
  public List<Snapshot> all() throws IOException {
    List<Snapshot> all = new ArrayList<>();
    for (long id : ids()) {
      try {
        all.add(read(id));
      } catch (FileNotFoundException e) {
        continue;
      }
    }
    return all;
  }

  /** The newest snapshot with {@code timeMillis} at or before the given one. */
  public Optional<Snapshot> asOf(long timeMillis) throws IOException {
    List<Long> ids = ids();
    for (int i = ids.size() - 1; i >= 0; i--) { // clocks differ: times need not ascend with ids
      try {
        Snapshot snapshot = read(ids.get(i));
        if (snapshot.timeMillis() <= timeMillis) {
          return Optional.of(snapshot);
        }
      } catch (FileNotFoundException e) {
        break; // expired meanwhile, and so is all before it
      }
    }
    return Optional.empty();
  }

  /**
   * Claims the snapshot's id: the one step that makes a commit visible. False if somebody else has
   * it.
   */
  public boolean create(Snapshot snapshot) throws IOException {
    return storage.createIfAbsent(
        directory.snapshot(snapshot.id()), SnapshotFormat.write(snapshot));
  }

  /** Deletes a snapshot's file and nothing that it refers to; false if there was none. */
  public boolean delete(long id) throws IOException {
    return storage.delete(directory.snapshot(id));
  }

  /** Writes hint LATEST, best effort: a failure is swallowed, since readers probe. */
  public void hintLatest(long id) {
    for (int tried = 0; tried < TRIES; tried++) {
      try {
        setLatest(id);
        return;
      } catch (IOException | UncheckedIOException e) {
        continue;
      }
    }
  }

  /** Writes hint LATEST, for whoever deleted the snapshots above {@code id}. */
  public void setLatest(long id) throws IOException {
    write(directory.latestHint(), id);
  }

  /** Takes hint LATEST away, for whoever deletes the newest snapshots: readers list them. */
  public void forgetLatest() throws IOException {
    storage.delete(directory.latestHint());
  }

  /** Writes hint EARLIEST. */
  public void setEarliest(long id) throws IOException {
    write(directory.earliestHint(), id);
  }

  private void write(String hint, long id) throws IOException {
    storage.overwrite(hint, Long.toString(id).getBytes(StandardCharsets.UTF_8));
  }
}
