package io.obelus.core.file.data;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compressors of pages, by the name of their codec.
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
      return new PageBytes(Arrays.copyOf(target, length), 0, length, true);
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
