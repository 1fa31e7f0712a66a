package io.obelus.core.table.manifest;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowBytes;
import java.util.List;

/**
 * What makes two entries speak of the same data file (spec chapter 04). The level is part of it: a
 * file that moves to another level is deleted there and added here.
 */
public record FileIdentity(
    BucketId bucket,
    int level,
    String name,
    List<String> extraFiles,
    RowBytes embeddedIndex,
    String externalPath) {

  public static FileIdentity of(BucketId bucket, DataFile file) {
    return new FileIdentity(
        bucket,
        file.level(),
        file.name(),
        file.extraFiles(),
        file.embeddedIndex(),
        file.externalPath());
  }

  public static FileIdentity of(ManifestEntry entry) {
    return of(entry.bucket(), entry.file());
  }

  /** Of the name alone, which is all but unique and keeps its hash; an index may be long. */
  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
