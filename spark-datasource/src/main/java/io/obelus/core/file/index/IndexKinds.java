package io.obelus.core.file.index;

import io.obelus.core.file.index.bitmap.BitmapIndex;
import io.obelus.core.file.index.bloom.BloomIndex;
import io.obelus.core.file.index.bsi.BsiIndex;
import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.rangebitmap.RangeBitmapIndex;
import java.util.List;
import java.util.Optional;

/** The kinds of file index that there are; a new one is added here and nowhere else. */
final class IndexKinds {

  /** Cheap ones first: what they leave is all that the others are asked for. */
  private static final List<IndexKind> ALL =
      List.of(new BloomIndex(), new BitmapIndex(), new RangeBitmapIndex(), new BsiIndex());

  private IndexKinds() {}

  static List<String> names() {
    return ALL.stream().map(IndexKind::name).toList();
  }

  static List<IndexKind> all() {
    return ALL;
  }

  /** Empty if nothing is known of such a kind. */
  static Optional<IndexKind> find(String name) {
    return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }
}
