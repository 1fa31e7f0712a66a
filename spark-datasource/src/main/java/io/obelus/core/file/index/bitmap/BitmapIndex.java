package io.obelus.core.file.index.bitmap;

import static io.obelus.core.file.index.bitmap.BitmapFormat.V1;
import static io.obelus.core.file.index.bitmap.BitmapFormat.V2;

import io.obelus.core.file.index.key.KeyCoding;
import io.obelus.core.file.index.kind.IndexKind;
import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.file.index.kind.IndexWriter;
import io.obelus.core.file.index.kind.Payload;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.ColumnType.Scalar;
import java.io.IOException;
import java.util.Set;

/** The kind of index that keeps the rows of each value (spec chapter 21). */
public final class BitmapIndex implements IndexKind {

  private static final String VERSION = "version";
  private static final String BLOCK_SIZE = "index-block-size";
  private static final int DEFAULT_BLOCK_SIZE = 16 << 10;

  @Override
  public String name() {
    return "bitmap";
  }

  @Override
  public boolean supports(ColumnType type) {
    return KeyCoding.supports(type) && ((Scalar) type).kind() != Kind.DECIMAL;
  }

  @Override
  public Set<String> options() {
    return Set.of(VERSION, BLOCK_SIZE);
  }

  @Override
  public IndexWriter writer(ColumnType type, IndexOptions options) {
    int blockSize = options.bytes(BLOCK_SIZE, DEFAULT_BLOCK_SIZE);
    return switch (options.text(VERSION, "2")) {
      case "1" -> new BitmapWriter(type, column -> new EncoderV1(column).encode());
      case "2" -> new BitmapWriter(type, column -> new EncoderV2(column, blockSize).encode());
      default -> throw options.bad(VERSION, "1 or 2");
    };
  }

  @Override
  public BitmapReader<?> reader(ColumnType type, Payload payload, long rowCount)
      throws IOException {
    return open(KeyCoding.of(type), payload, rowCount);
  }

  private static <K extends Comparable<K>> BitmapReader<K> open(
      KeyCoding<K> coding, Payload payload, long rowCount) throws IOException {
    int version = payload.read(0, 1).get();
    return switch (version) {
      case V1 -> BitmapReaderV1.open(coding, payload, rowCount);
      case V2 -> BitmapReaderV2.open(coding, payload, rowCount);
      default ->
          throw new UnknownVersionException(payload.place(0), "bitmap index", version, V1, V2);
    };
  }
}
