package io.obelus.core.file.index.bsi;

import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.row.ColumnType;
import java.io.IOException;
import java.util.Set;

/**
 * The kind of index {@code bsi} (spec chapter 22): whole numbers, decimals, dates and times; no
 * options.
 *
 * <p>A file with a decimal whose unscaled number is outside 64 bits, or with the smallest BIGINT,
 * gets no index of that column: its writer's memory is then Long.MAX_VALUE.
 */
public final class BsiIndex implements IndexKind {

  @Override
  public String name() {
    return "bsi";
  }

  @Override
  public boolean supports(ColumnType type) {
    return Numbers.supports(type);
  }

  @Override
  public Set<String> options() {
    return Set.of();
  }

  @Override
  public IndexWriter writer(ColumnType type, IndexOptions options) {
    return new BsiIndexWriter(new Numbers((ColumnType.Scalar) type));
  }

  @Override
  public BsiIndexReader reader(ColumnType type, Payload payload, long rowCount) throws IOException {
    return new BsiIndexReader(
        new Numbers((ColumnType.Scalar) type), BsiFormat.read(payload, rowCount), payload.place(0));
  }
}
