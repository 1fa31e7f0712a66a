package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The content of a bucket: its bitmaps, its data files one by one, and its keys over all files. */
final class BucketCheck implements Check<BucketState> {

  private final Places places;
  private final Predicate<DataFile> wanted;

  /**
   * @param wanted which data files are read
   */
  BucketCheck(Places places, Predicate<DataFile> wanted) {
    this.places = places;
    this.wanted = wanted;
  }

  @Override
  public void check(BucketState bucket, Report report) throws IOException {
    DeletionBitmapCheck.Deletions deletions = new DeletionBitmapCheck(places, bucket, report).run();
    List<DataFile> sound = new ArrayList<>();
    for (DataFile file : bucket.files()) {
      if (wanted.test(file)
          && new DataFileRows(places, bucket, file, report).run()
          && !deletions.unknown().contains(file.name())) {
        sound.add(file);
      }
    }
    if (places.table().schema().keyed()) {
      new LiveKeyCheck(places, bucket, deletions.bitmaps(), report).check(sound);
    }
  }
}
