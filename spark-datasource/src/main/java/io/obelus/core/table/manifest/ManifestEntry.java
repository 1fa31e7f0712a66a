package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import java.io.Serializable;

/** One line of a manifest: a data file comes or goes (spec chapter 04). */
public record ManifestEntry(Kind kind, BucketId bucket, int totalBuckets, DataFile file)
    implements Serializable {

  public enum Kind {
    ADD,
    DELETE
  }
}
