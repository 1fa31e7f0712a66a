package io.obelus.core.table.scan;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.table.snapshot.Table;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The files of a plan by the buckets that keys lead to, for tasks that look rows up by key.
 *
 * @param buckets each with its files, in all of which together a key has at most one live row
 */
public record KeyedFiles(Table table, Map<BucketId, List<Split.Part>> buckets)
    implements Serializable {

  public KeyedFiles {
    buckets = Map.copyOf(buckets);
  }
}
