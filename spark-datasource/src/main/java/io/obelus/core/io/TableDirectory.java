package io.obelus.core.io;

import java.io.Serializable;

/**
 * Names of the files below one table's directory (spec chapter 01).
 *
 * <pre>
 *   root/schema/schema-0         root/snapshot/snapshot-1, LATEST, EARLIEST
 *   root/manifest/...            root/index/...            root/statistics/...
 *   root/[pt=1/]bucket-0/data-...parquet
 *   root/branch/branch-b/schema/schema-0, snapshot/..., tag/...
 * </pre>
 *
 * <p>A branch has a history of its own: schemas, snapshots, tags, consumers. All else lies among
 * the files of the table.
 *
 * @param root absolute path of the table, without a slash at the end
 * @param branch whose history is meant; {@link #MAIN} is the table's own
 */
public record TableDirectory(String root, String branch) implements Serializable {

  /** The branch that every table has, and that is no directory of its own. */
  public static final String MAIN = "main";

  /** What the names of the directories of branches begin with. */
  public static final String BRANCH_PREFIX = "branch-";

  /** The table's own history. */
  public TableDirectory(String root) {
    this(root, MAIN);
  }

  public TableDirectory {
    while (root.length() > 1 && root.endsWith("/")) {
      root = root.substring(0, root.length() - 1);
    }
  }

  /** Where the history is: the root, or the directory of the branch. */
  public String history() {
    return branch.equals(MAIN) ? root : branches() + "/" + BRANCH_PREFIX + branch;
  }

  /** Whether this is the table's own history. */
  public boolean isMain() {
    return branch.equals(MAIN);
  }

  public String schemas() {
    return history() + "/schema";
  }

  public String schema(long id) {
    return schemas() + "/schema-" + id;
  }

  public String snapshots() {
    return history() + "/snapshot";
  }

  public String snapshot(long id) {
    return snapshots() + "/snapshot-" + id;
  }

  public String latestHint() {
    return snapshots() + "/LATEST";
  }

  public String earliestHint() {
    return snapshots() + "/EARLIEST";
  }

  /** A manifest, manifest list or index manifest. */
  public String manifest(String name) {
    return root + "/manifest/" + name;
  }

  /** A deletion file or key-hash file. */
  public String index(String name) {
    return root + "/index/" + name;
  }

  public String statistics(String name) {
    return root + "/statistics/" + name;
  }

  public String tags() {
    return history() + "/tag";
  }

  public String tag(String name) {
    return tags() + "/tag-" + name;
  }

  public String branches() {
    return root + "/branch";
  }

  /** The same table with the history of a branch. */
  public TableDirectory onBranch(String name) {
    return new TableDirectory(root, name);
  }

  public String consumers() {
    return history() + "/consumer";
  }

  /**
   * The directory of a bucket's data files.
   *
   * @param partitionPath {@code "pt=1/dt=2"} with escaped names and values, empty for an
   *     unpartitioned table
   * @param bucket number of the bucket, -2 for postpone
   */
  public String bucket(String partitionPath, int bucket) {
    String parent = partitionPath.isEmpty() ? root : root + "/" + partitionPath;
    return parent + (bucket == -2 ? "/bucket-postpone" : "/bucket-" + bucket);
  }
}
