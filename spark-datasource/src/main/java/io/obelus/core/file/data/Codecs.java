package io.obelus.core.file.data;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory;
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

  /**
   * Footer entry of files whose pages are all Zstandard frames with a checksum. Checking it takes a
   * fifth to a third of decompressing; Parquet's check of its own CRC copies each page twice, which
   * took two fifths of the time of all decoding.
   */
  private static final Map<String, String> CHECKED_PAGES = Map.of("obelus.page-checksum", "zstd");

  private static final int DEFAULT_ZSTD_LEVEL = 1;

  private Codecs() {}

  /**
   * A compressor, to be released.
   *
   * @param name as in the table option {@code file.compression}
   * @param parquet {@code parquet.*} settings
   */
  static CodecFactory.BytesCompressor compressor(
      String name, Map<String, String> parquet, Configuration configuration, int pageSize) {
    CompressionCodecName codec = codec(name);
    if (codec == CompressionCodecName.ZSTD) {
      String level = parquet.get(ZSTD_LEVEL);
      return new ZstdCompressor(
          level == null ? DEFAULT_ZSTD_LEVEL : Settings.number(ZSTD_LEVEL, level));
    }
    return new CodecFactory(configuration, pageSize).getCompressor(codec);
  }

  /** What the footer says of a file whose pages were written so. */
  static Map<String, String> footerEntries(
      CodecFactory.BytesCompressor compressor, ParquetProperties properties) {
    // Pages of version 2 keep their levels outside what is compressed.
    boolean wholePages =
        properties.getWriterVersion() == ParquetProperties.WriterVersion.PARQUET_1_0;
    return wholePages && compressor instanceof ZstdCompressor ? CHECKED_PAGES : Map.of();
  }

  /** Whether decompressing a file's pages finds damage. */
  static boolean checksPages(Map<String, String> footerEntries) {
    return footerEntries.entrySet().containsAll(CHECKED_PAGES.entrySet());
  }

  /** Decompressors of pages, for one reader; to be released. */
  static CompressionCodecFactory decompressors(Configuration configuration) {
    return new Decompressors(configuration);
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

    ZstdCompressor(int level) {
      context.setLevel(level);
      context.setChecksum(true);
    }

    @Override
    public BytesInput compress(BytesInput page) throws IOException {
      byte[] source = page.toByteArray();
      int bound = Math.toIntExact(Zstd.compressBound(source.length));
      if (target.length < bound) {
        target = new byte[bound];
      }
      int length = context.compressByteArray(target, 0, target.length, source, 0, source.length);
      return BytesInput.copy(BytesInput.from(target, 0, length));
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

  private static final class Decompressors extends CodecFactory {

    private ZstdDecompressor zstd;

    Decompressors(Configuration configuration) {
      super(configuration, 0);
    }

    @Override
    public BytesDecompressor getDecompressor(CompressionCodecName codec) {
      if (codec != CompressionCodecName.ZSTD) {
        return super.getDecompressor(codec);
      }
      if (zstd == null) {
        zstd = new ZstdDecompressor();
      }
      return zstd;
    }

    @Override
    public void release() {
      super.release();
      if (zstd != null) {
        zstd.release();
        zstd = null;
      }
    }
  }

  /** Into an array of the right size at once, where Parquet's own goes through a stream. */
  private static final class ZstdDecompressor extends CodecFactory.BytesDecompressor {

    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    @Override
    public BytesInput decompress(BytesInput page, int size) throws IOException {
      // A slice, where toByteBuffer() would copy the page through a stream: 5 % of a scan's time.
      ByteBuffer source = page.toInputStream().slice(Math.toIntExact(page.size()));
      if (!source.hasArray()) {
        source = ByteBuffer.wrap(page.toByteArray());
      }
      byte[] target = new byte[size];
      int found =
          context.decompressByteArray(
              target,
              0,
              size,
              source.array(),
              source.arrayOffset() + source.position(),
              source.remaining());
      if (found != size) {
        throw new IOException(
            "a page should have " + size + " bytes when decompressed but has " + found);
      }
      return new PageBytes(target);
    }

    @Override
    public void decompress(ByteBuffer source, int compressed, ByteBuffer target, int size)
        throws IOException {
      target.put(decompress(BytesInput.from(source), size).toByteArray());
    }

    @Override
    public void release() {
      context.close();
    }
  }
}
