package io.obelus.core.file.data;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Decompressors for the pages of a file, one for each codec. Those in use write into the page at
 * once; Parquet's own go through a stream, and that of Snappy and LZ4 waits for ever for a page
 * that says it is longer than it is. Not thread-safe.
 */
final class Decompressors implements Closeable {

  /** Decompresses pages, as many as come, until it is closed where it came from. */
  interface Decompressor {

    /**
     * Decompresses {@code length} bytes.
     *
     * @throws IOException if they are damaged, or do not make {@code size} bytes
     */
    void decompress(byte[] from, int at, int length, byte[] to, int toAt, int size)
        throws IOException;
  }

  /** What is not compressed. */
  static final Decompressor PLAIN =
      (from, at, length, to, toAt, size) -> {
        checkSize(size, length);
        System.arraycopy(from, at, to, toAt, length);
      };

  private static void checkSize(int expected, int found) throws IOException {
    if (found != expected) {
      throw new IOException(
          "a page should have %d bytes when decompressed but has %s"
              .formatted(expected, found > expected ? "more" : found));
    }
  }

  private final CodecFactory others;
  private ZstdDecompressCtx zstd; // null if none was needed yet

  Decompressors(Configuration configuration) {
    this.others = new CodecFactory(configuration, 0);
  }

  Decompressor of(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> PLAIN;
      case ZSTD -> zstd();
      case SNAPPY -> checked(new SnappyDecompressor()::decompress);
      case LZ4_RAW -> checked(new Lz4Decompressor()::decompress);
      case GZIP -> Decompressors::gunzip;
      default -> other(others.getDecompressor(codec));
    };
  }

  private Decompressor zstd() {
    if (zstd == null) {
      zstd = new ZstdDecompressCtx();
    }
    return (from, at, length, to, toAt, size) ->
        checkSize(size, zstd.decompressByteArray(to, toAt, size, from, at, length));
  }

  private static void gunzip(byte[] from, int at, int length, byte[] to, int toAt, int size)
      throws IOException {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(from, at, length))) {
      int found = in.readNBytes(to, toAt, size);
      checkSize(size, in.read() < 0 ? found : size + 1);
    }
  }

  private static Decompressor checked(Known known) {
    return (from, at, length, to, toAt, size) ->
        checkSize(size, known.decompress(from, at, length, to, toAt, size));
  }

  /** Returns how many bytes it made. */
  private interface Known {
    int decompress(byte[] from, int at, int length, byte[] to, int toAt, int most);
  }

  private static Decompressor other(CodecFactory.BytesDecompressor decompressor) {
    return (from, at, length, to, toAt, size) -> {
      byte[] found = decompressor.decompress(BytesInput.from(from, at, length), size).toByteArray();
      PLAIN.decompress(found, 0, found.length, to, toAt, size);
    };
  }

  @Override
  public void close() {
    others.release();
    if (zstd != null) {
      zstd.close();
    }
  }
}
