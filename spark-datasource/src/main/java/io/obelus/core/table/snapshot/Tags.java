package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tag files of one table (spec chapter 12). Thread-safe; keeps nothing, so that each question
 * is answered by what is there now.
 *
 * <p>Here a tag is a file and no more. What becomes of the data that only a deleted tag kept is up
 * to {@code table.maintenance}.
 */
public record Tags(Storage storage, TableDirectory directory) implements Serializable {

  private static final String PREFIX = "tag-";
  private static final int LONGEST_NAME = 200; // file systems end at 255 bytes

  /** Names of all tags, in alphabetical order. */
  public List<String> names() throws IOException {
    return storage.list(directory.tags()).stream()
        .filter(entry -> !entry.isDirectory() && entry.name().startsWith(PREFIX))
        .map(entry -> entry.name().substring(PREFIX.length()))
        .filter(Tags::mayExist)
        .sorted()
        .toList();
  }

  /** All tags, in alphabetical order. One that is deleted meanwhile is left out. */
  public List<Tag> all() throws IOException {
    List<Tag> all = new ArrayList<>();
    for (String name : names()) {
      find(name).ifPresent(all::add);
    }
    return all;
  }

  /** The tag of this name; empty if there is none. */
  public Optional<Tag> find(String name) throws IOException {
    if (!mayExist(name)) {
      return Optional.empty();
    }
    String file = directory.tag(name);
    try {
      return Optional.of(TagFormat.read(file, name, storage.read(file)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** The tag of this name; IllegalArgumentException names the tags there are if it is not one. */
  public Tag get(String name) throws IOException {
    Optional<Tag> tag = find(name);
    if (tag.isPresent()) {
      return tag.get();
    }
    List<String> names = names();
    throw new IllegalArgumentException(
        "%s has no tag '%s'; it has %s"
            .formatted(
                directory.history(), name, names.isEmpty() ? "none" : String.join(", ", names)));
  }

  /**
   * Makes a tag.
   *
   * @param snapshot must exist when this returns; a snapshot that expires meanwhile makes it fail
   * @param retained null to keep the tag until it is deleted
   * @throws IllegalArgumentException if the name is taken or no name, or the snapshot is gone
   */
  public Tag create(String name, Snapshot snapshot, Duration retained) throws IOException {
    check(name);
    if (retained != null && (retained.isNegative() || retained.isZero())) {
      throw new IllegalArgumentException(
          "tag '%s' is to be kept for %s; that should be longer than nothing"
              .formatted(name, retained));
    }
    Tag tag = new Tag(name, snapshot, retained == null ? null : now(), retained);
    if (!storage.createIfAbsent(directory.tag(name), TagFormat.write(tag))) {
      throw taken(name);
    }
    // Expiry deletes a snapshot first and looks for tags afterwards; we do it the other way round,
    // so that at least one of the two sees the other.
    if (!storage.exists(directory.snapshot(snapshot.id()))) {
      storage.delete(directory.tag(name));
      throw new IllegalArgumentException(
          "%s has no snapshot %d any more; tag '%s' was not made"
              .formatted(directory.history(), snapshot.id(), name));
    }
    return tag;
  }

  private static LocalDateTime now() {
    return LocalDateTime.now().truncatedTo(ChronoUnit.MICROS);
  }

  /** Gives a tag another name; IllegalArgumentException if it is taken, or there is no tag. */
  public void rename(String name, String target) throws IOException {
    get(name);
    check(target);
    if (storage.exists(directory.tag(target))) {
      throw taken(target);
    }
    storage.rename(directory.tag(name), directory.tag(target));
  }

  /** Deletes a tag's file; false if there was none. */
  public boolean delete(String name) throws IOException {
    return mayExist(name) && storage.delete(directory.tag(name));
  }

  private IllegalArgumentException taken(String name) {
    return new IllegalArgumentException(
        "%s has a tag '%s' already; delete it first, or take another name"
            .formatted(directory.history(), name));
  }

  /** Refuses names that some file system, or a list of tags with commas between, cannot hold. */
  private static void check(String name) {
    String problem = null;
    if (name.isBlank()) {
      problem = "it is blank";
    } else if (name.length() > LONGEST_NAME) {
      problem = "it is longer than " + LONGEST_NAME + " characters";
    } else if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f || "/\\:,".indexOf(c) >= 0)) {
      problem = "it has a slash, a colon, a comma or a control character";
    }
    if (problem != null) {
      throw new IllegalArgumentException("'%s' is no name for a tag: %s".formatted(name, problem));
    }
  }

  /** Others may allow themselves other names, as long as they are names of files. */
  private static boolean mayExist(String name) {
    return !name.isEmpty() && name.indexOf('/') < 0;
  }
}
