package io.obelus.core.file.data;

import java.io.Serializable;
import java.util.Map;

/**
 * How data files of a table are written; the table's options say it, read once at the edge.
 *
 * @param prefix of file names: {@code data-}
 * @param targetSize bytes after which the next file begins
 * @param compression Parquet codec: zstd, snappy, gzip, lz4, uncompressed
 * @param rowGroupSize bytes of one row group
 * @param keyColumns whether the key is also written as {@code _KEY_} columns (false: thin mode)
 * @param stats how statistics of columns are kept
 * @param parquet further {@code parquet.*} settings, as given
 */
public record DataFileSettings(
    String prefix,
    long targetSize,
    String compression,
    long rowGroupSize,
    boolean keyColumns,
    StatsSettings stats,
    Map<String, String> parquet)
    implements Serializable {

  public DataFileSettings {
    parquet = Map.copyOf(parquet);
  }

  /**
   * @param mode {@code none}, {@code counts}, {@code full} or {@code truncate(n)} for columns
   *     without a word of their own
   * @param columns mode by column name
   * @param dense whether columns without statistics are left out ({@code
   *     metadata.stats-dense-store})
   * @param keepFirst statistics for the first so many columns only; -1 = all
   */
  public record StatsSettings(
      String mode, Map<String, String> columns, boolean dense, int keepFirst)
      implements Serializable {
    public StatsSettings {
      columns = Map.copyOf(columns);
    }
  }
}
