package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.schema.Schemas;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The branches of one table (spec chapter 12). A branch has snapshots, tags and schemas of its own;
 * its manifests and data lie among those of the table. Thread-safe; keeps nothing.
 *
 * <p>A branch comes and goes as a whole: it is made, and unmade, under a hidden name, and the
 * directory is renamed. Where a file system renames file by file, whoever looks meanwhile may see a
 * part.
 *
 * <pre>
 *   branch/.branch-b.UUID.tmp       while it is made; left behind if that dies
 *   branch/branch-b                 the branch
 *   branch/.branch-b.UUID.dropped   while it is deleted; left behind if that dies
 * </pre>
 *
 * @param directory of the table, or of the branch that is asked for the others
 */
public record Branches(Storage storage, TableDirectory directory) implements Serializable {

  private static final String PREFIX = TableDirectory.BRANCH_PREFIX;
  private static final int LONGEST_NAME = 150; // file systems end at 255 bytes; hidden names add 50

  /** Names of all branches, in alphabetical order; the table itself is none. */
  public List<String> names() throws IOException {
    return storage.list(directory.branches()).stream()
        .filter(entry -> entry.isDirectory() && entry.name().startsWith(PREFIX))
        .map(entry -> entry.name().substring(PREFIX.length()))
        .filter(Branches::mayExist)
        .sorted()
        .toList();
  }

  /** Whether there is such a branch; {@code main} is none. */
  public boolean exists(String name) throws IOException {
    return mayExist(name) && storage.exists(directory.onBranch(name).history());
  }

  /** All histories: the table's own, then those of the branches in alphabetical order. */
  public List<TableDirectory> histories() throws IOException {
    List<TableDirectory> histories = new ArrayList<>();
    histories.add(directory.onBranch(TableDirectory.MAIN));
    for (String name : names()) {
      histories.add(directory.onBranch(name));
    }
    return histories;
  }

  /**
   * Makes a branch that begins with what a tag holds, or without any snapshot.
   *
   * @param tag of {@link #directory}; must exist when this returns: if it is deleted meanwhile,
   *     this fails. Null for a branch that begins with no rows and the latest schema
   * @throws IllegalArgumentException if the name is taken or no name, or there is no such tag
   */
  public void create(String name, String tag) throws IOException {
    check(name);
    Tags tags = new Tags(storage, directory);
    Tag from = tag == null ? null : tags.get(tag);
    if (exists(name)) {
      throw taken(name);
    }
    String hidden = hidden(name, "tmp");
    copySchemas(from == null ? Long.MAX_VALUE : from.snapshot().schemaId(), hidden);
    if (from != null) {
      long id = from.snapshot().id();
      create(hidden + "/tag/tag-" + from.name(), TagFormat.write(from));
      create(hidden + "/snapshot/snapshot-" + id, SnapshotFormat.write(from.snapshot()));
    }
    if (exists(name)) {
      storage.deleteDirectory(hidden);
      throw taken(name);
    }
    storage.rename(hidden, directory.onBranch(name).history());
    // Whoever deletes the tag looks for branches afterwards; we do it the other way round, so that
    // at least one of the two sees the other.
    if (from != null && tags.find(tag).isEmpty()) {
      delete(name);
      throw new IllegalArgumentException(
          "%s has no tag '%s' any more; branch '%s' was not made"
              .formatted(directory.history(), tag, name));
    }
  }

  private void copySchemas(long last, String hidden) throws IOException {
    for (long id : new Schemas(storage, directory).ids()) {
      if (id <= last) {
        create(hidden + "/schema/schema-" + id, storage.read(directory.schema(id)));
      }
    }
  }

  private void create(String file, byte[] content) throws IOException {
    if (!storage.createIfAbsent(file, content)) {
      throw new IOException(file + " should not exist yet");
    }
  }

  private String hidden(String name, String what) {
    return "%s/.%s%s.%s.%s".formatted(directory.branches(), PREFIX, name, UUID.randomUUID(), what);
  }

  /**
   * Deletes a branch: its snapshots, tags and schemas. What only they referred to is left to {@code
   * table.maintenance}.
   *
   * @return false if there was none
   */
  public boolean delete(String name) throws IOException {
    if (!exists(name)) {
      return false;
    }
    String hidden = hidden(name, "dropped");
    storage.rename(directory.onBranch(name).history(), hidden);
    storage.deleteDirectory(hidden);
    return true;
  }

  private IllegalArgumentException taken(String name) {
    return new IllegalArgumentException(
        "%s has a branch '%s' already; delete it first, or take another name"
            .formatted(directory.root(), name));
  }

  /** Refuses names that mean something else, or that some file system cannot hold. */
  private static void check(String name) {
    String problem = null;
    if (name.isBlank()) {
      problem = "it is blank";
    } else if (name.equals(TableDirectory.MAIN)) {
      problem = "it is the table itself";
    } else if (name.chars().allMatch(Character::isDigit)) {
      problem = "it has nothing but digits";
    } else if (name.length() > LONGEST_NAME) {
      problem = "it is longer than " + LONGEST_NAME + " characters";
    } else if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f || "/\\:,$".indexOf(c) >= 0)) {
      problem = "it has a slash, a colon, a comma, a dollar sign or a control character";
    }
    if (problem != null) {
      throw new IllegalArgumentException(
          "'%s' is no name for a branch: %s".formatted(name, problem));
    }
  }

  /** Others may allow themselves other names, as long as they are names of files. */
  private static boolean mayExist(String name) {
    return !name.isEmpty() && !name.equals(TableDirectory.MAIN) && name.indexOf('/') < 0;
  }
}
