package io.obelus.core.io;

import java.io.Serializable;

/**
 * Names of the files below one table's directory (spec chapter 01).
 *
 * <pre>
 *   root/schema/schema-0         root/snapshot/snapshot-1, LATEST, EARLIEST
 *   root/manifest/...            root/index/...            root/statistics/...
 *   root/[pt=1/]bucket-0/data-...parquet
 * </pre>
 *
 * @param root absolute path of the table, without a slash at the end
 */
public record TableDirectory(String root) implements Serializable {

  public TableDirectory {
    while (root.length() > 1 && root.endsWith("/")) {
      root = root.substring(0, root.length() - 1);
    }
  }

  public String schemas() {
    return root + "/schema";
  }

  public String schema(long id) {
    return schemas() + "/schema-" + id;
  }

  public String snapshots() {
    return root + "/snapshot";
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
    return root + "/tag";
  }

  public String tag(String name) {
    return tags() + "/tag-" + name;
  }

  public String branches() {
    return root + "/branch";
  }

  /** A branch, as far as it has files of its own: schemas, snapshots, tags. */
  public TableDirectory branch(String name) {
    return new TableDirectory(branches() + "/branch-" + name);
  }

  public String consumers() {
    return root + "/consumer";
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
