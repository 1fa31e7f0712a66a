package io.obelus.core.table.snapshot;

import io.obelus.core.io.Storage;
import io.obelus.core.io.TableDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * The branches of one table (spec chapter 12). A branch has snapshots, tags and schemas of its own;
 * its manifests and data lie among those of the table. Thread-safe; keeps nothing.
 */
public record Branches(Storage storage, TableDirectory directory) implements Serializable {

  private static final String PREFIX = "branch-";

  /** Names of all branches, in alphabetical order; the table itself is none. */
  public List<String> names() throws IOException {
    return storage.list(directory.branches()).stream()
        .filter(entry -> entry.isDirectory() && entry.name().startsWith(PREFIX))
        .map(entry -> entry.name().substring(PREFIX.length()))
        .sorted()
        .toList();
  }

  /** The snapshots of a branch. */
  public Snapshots snapshots(String branch) {
    return new Snapshots(storage, directory.branch(branch));
  }

  /** The tags of a branch. */
  public Tags tags(String branch) {
    return new Tags(storage, directory.branch(branch));
  }
}
