package io.obelus.core.file.index.rangebitmap;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexReader;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Scalar;
import java.io.IOException;
import java.util.Set;

/** The kind of index that keeps rows by the bits of their value's rank (spec chapter 24). */
public final class RangeBitmapIndex implements IndexKind {

  private static final String CHUNK_SIZE = "chunk-size";
  private static final int DEFAULT_CHUNK_SIZE = 16 << 10;
  private static final int MICROS_PRECISION = 6;

  @Override
  public String name() {
    return "range-bitmap";
  }

  @Override
  public boolean supports(ColumnType type) {
    if (!KeyCoding.supports(type)) {
      return false;
    }
    Scalar scalar = (Scalar) type;
    return switch (scalar.kind()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> scalar.precision() <= MICROS_PRECISION;
      default -> true;
    };
  }

  @Override
  public Set<String> options() {
    return Set.of(CHUNK_SIZE);
  }

  @Override
  public IndexWriter writer(ColumnType type, IndexOptions options) {
    int chunkSize = options.bytes(CHUNK_SIZE, defaultChunkSize((Scalar) type));
    return new RangeBitmapWriter(type, chunkSize);
  }

  /** Keys of one or two bytes are each a chunk of their own. */
  private static int defaultChunkSize(Scalar type) {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT -> 0;
      default -> DEFAULT_CHUNK_SIZE;
    };
  }

  @Override
  public IndexReader reader(ColumnType type, Payload payload, long rowCount) throws IOException {
    return RangeBitmapReader.open(KeyCoding.of(type), payload, rowCount);
  }
}
