package io.obelus.core.file.index.bloom;

import io.obelus.core.file.index.bloom.BloomFormat.Size;
import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.row.ColumnType;
import java.io.IOException;
import java.util.Set;

/**
 * The kind of index {@code bloom-filter} (spec chapter 23), for texts, bytes, numbers but decimals,
 * dates and times.
 *
 * <p>Options: {@code fpp}, the share of wrong "may be there" that is aimed at, 0.1 unless set; and
 * {@code items}, the number of different values that each file's filter has room for. Without
 * {@code items} a filter is as large as the different values of its own file need.
 */
public final class BloomIndex implements IndexKind {

  private static final String ITEMS = "items";
  private static final String FPP = "fpp";
  private static final String DEFAULT_FPP = "0.1";

  @Override
  public String name() {
    return "bloom-filter";
  }

  @Override
  public boolean supports(ColumnType type) {
    return ValueHash.supports(type);
  }

  @Override
  public Set<String> options() {
    return Set.of(ITEMS, FPP);
  }

  @Override
  public IndexWriter writer(ColumnType type, IndexOptions options) {
    ValueHash hash = new ValueHash((ColumnType.Scalar) type);
    double fpp = fpp(options);
    return options.values().containsKey(ITEMS)
        ? new FixedFilterWriter(hash, size(options, fpp))
        : new FittingFilterWriter(hash, fpp);
  }

  private static double fpp(IndexOptions options) {
    try {
      double fpp = Double.parseDouble(options.text(FPP, DEFAULT_FPP));
      if (fpp > 0 && fpp < 1) {
        return fpp;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw options.bad(FPP, "a number between 0 and 1");
  }

  private static Size size(IndexOptions options, double fpp) {
    int items = 0;
    try {
      items = Integer.parseInt(options.text(ITEMS, ""));
    } catch (NumberFormatException e) {
      // said below
    }
    if (items <= 0) {
      throw options.bad(ITEMS, "a whole number from 1 to 2147483647");
    }
    Size size = Size.of(items, fpp);
    if (size == null) {
      throw options.bad(ITEMS, "so small that a filter with fpp " + fpp + " has below 2^31 bits");
    }
    return size;
  }

  @Override
  public IndexReader reader(ColumnType type, Payload payload, long rowCount) throws IOException {
    return new BloomIndexReader(new ValueHash((ColumnType.Scalar) type), BloomFormat.open(payload));
  }
}
