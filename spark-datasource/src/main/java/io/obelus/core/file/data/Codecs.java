package io.obelus.core.file.data;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compression of pages.
 *
 * <p>Zstandard is called directly: Parquet's own codec keeps its first configuration for the whole
 * process, so that the level of one table would hold for all.
 */
final class Codecs {

  static final String ZSTD_LEVEL = "parquet.compression.codec.zstd.level";

  private static final int DEFAULT_ZSTD_LEVEL = 1;

  private Codecs() {}

  /**
   * A compressor, to be released.
   *
   * @param name as in the table option {@code file.compression}
   * @param parquet {@code parquet.*} settings
   * @param properties made of them
   */
  static CodecFactory.BytesCompressor compressor(
      String name,
      Map<String, String> parquet,
      ParquetProperties properties,
      Configuration configuration) {
    CompressionCodecName codec = codec(name);
    if (codec == CompressionCodecName.ZSTD) {
      String level = parquet.get(ZSTD_LEVEL);
      return new ZstdCompressor(
          level == null ? DEFAULT_ZSTD_LEVEL : Settings.number(ZSTD_LEVEL, level),
          !hasCrcs(properties));
    }
    return new CodecFactory(configuration, properties.getPageSizeThreshold()).getCompressor(codec);
  }

  /** Whether Parquet writes the CRC of each page: of version 2 this one does not. */
  private static boolean hasCrcs(ParquetProperties properties) {
    return properties.getWriterVersion() == ParquetProperties.WriterVersion.PARQUET_1_0
        && properties.getPageWriteChecksumEnabled();
  }

  /** Decompresses pages, as many as come. Not thread-safe. */
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

  /**
   * A decompressor for each codec of a file. Those in use write into the page at once; Parquet's
   * own go through a stream, and that of Snappy and LZ4 waits for ever for a page that says it is
   * longer than it is. Not thread-safe.
   */
  static final class Decompressors implements Closeable {

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
        byte[] found =
            decompressor.decompress(BytesInput.from(from, at, length), size).toByteArray();
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

  private static CompressionCodecName codec(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "zstd" -> CompressionCodecName.ZSTD;
      case "snappy" -> CompressionCodecName.SNAPPY;
      case "gzip" -> CompressionCodecName.GZIP;
      case "lz4", "lz4_raw" -> CompressionCodecName.LZ4_RAW;
      case "uncompressed" -> CompressionCodecName.UNCOMPRESSED;
      default ->
          throw new IllegalArgumentException(
              "file.compression is '" + name + "'; use zstd, snappy, gzip, lz4 or uncompressed");
    };
  }

  private static final class ZstdCompressor extends CodecFactory.BytesCompressor {

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private byte[] target = new byte[0];

    ZstdCompressor(int level, boolean checksum) {
      context.setLevel(level);
      context.setChecksum(checksum);
    }

    @Override
    public BytesInput compress(BytesInput page) throws IOException {
      byte[] source = page.toByteArray();
      int bound = Math.toIntExact(Zstd.compressBound(source.length));
      if (target.length < bound) {
        target = new byte[bound];
      }
      int length = context.compressByteArray(target, 0, target.length, source, 0, source.length);
      return new PageBytes(Arrays.copyOf(target, length), 0, length);
    }

    @Override
    public CompressionCodecName getCodecName() {
      return CompressionCodecName.ZSTD;
    }

    @Override
    public void release() {
      context.close();
    }
  }
}
