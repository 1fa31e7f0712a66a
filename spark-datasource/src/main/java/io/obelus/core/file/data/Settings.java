package io.obelus.core.file.data;

import java.util.Map;
import org.apache.parquet.column.ParquetProperties;

/**
 * Meaning of {@code parquet.*} settings: those of parquet-mr and with its defaults, but for the
 * rows of a page.
 */
final class Settings {

  private static final char OF_COLUMN = '#';

  /**
   * Rows of a page, where parquet-mr has 20,000: a lookup of 1000 keys among a million rows took
   * 0.7 times as long, and a scan of all rows no longer.
   */
  private static final int ROWS_PER_PAGE = 2000;

  private Settings() {}

  /**
   * How columns are encoded.
   *
   * @param unique paths of columns whose values hardly repeat: no dictionary is begun for them,
   *     unless a setting asks for one
   */
  static ParquetProperties properties(Map<String, String> settings, Iterable<String> unique) {
    ParquetProperties.Builder builder =
        ParquetProperties.builder()
            .withPageRowCountLimit(ROWS_PER_PAGE)
            .withValuesWriterFactory(new Dictionaries());
    for (String column : unique) {
      builder.withDictionaryEncoding(column, false);
    }
    settings.forEach((key, value) -> apply(builder, key, value));
    return builder.build();
  }

  private static void apply(ParquetProperties.Builder builder, String key, String value) {
    int at = key.indexOf(OF_COLUMN);
    if (at >= 0) {
      applyToColumn(builder, key, key.substring(0, at), key.substring(at + 1), value);
      return;
    }
    switch (key) {
      case "parquet.page.size" -> builder.withPageSize(number(key, value));
      case "parquet.dictionary.page.size" -> builder.withDictionaryPageSize(number(key, value));
      case "parquet.enable.dictionary" -> builder.withDictionaryEncoding(flag(key, value));
      case "parquet.page.row.count.limit" -> builder.withPageRowCountLimit(number(key, value));
      case "parquet.page.size.row.check.min" ->
          builder.withMinRowCountForPageSizeCheck(number(key, value));
      case "parquet.page.size.row.check.max" ->
          builder.withMaxRowCountForPageSizeCheck(number(key, value));
      case "parquet.page.size.check.estimate" ->
          builder.estimateRowCountForPageSizeCheck(flag(key, value));
      case "parquet.columnindex.truncate.length" ->
          builder.withColumnIndexTruncateLength(number(key, value));
      case "parquet.statistics.truncate.length" ->
          builder.withStatisticsTruncateLength(number(key, value));
      case "parquet.page.write-checksum.enabled" ->
          builder.withPageWriteChecksumEnabled(flag(key, value));
      case "parquet.bloom.filter.enabled" -> builder.withBloomFilterEnabled(flag(key, value));
      case "parquet.bloom.filter.max.bytes" -> builder.withMaxBloomFilterBytes(number(key, value));
      case "parquet.writer.version" ->
          builder.withWriterVersion(ParquetProperties.WriterVersion.fromString(value));
      default -> {
        // Settings of codecs and of readers do not change how columns are encoded.
      }
    }
  }

  private static void applyToColumn(
      ParquetProperties.Builder builder, String key, String setting, String path, String value) {
    switch (setting) {
      case "parquet.enable.dictionary" -> builder.withDictionaryEncoding(path, flag(key, value));
      case "parquet.bloom.filter.enabled" -> builder.withBloomFilterEnabled(path, flag(key, value));
      case "parquet.bloom.filter.expected.ndv" ->
          builder.withBloomFilterNDV(path, longNumber(key, value));
      case "parquet.bloom.filter.fpp" ->
          builder.withBloomFilterFPP(path, parsed(key, value, Double::parseDouble));
      default -> {
        // As above.
      }
    }
  }

  static int number(String key, String value) {
    return parsed(key, value, Integer::parseInt);
  }

  static long longNumber(String key, String value) {
    return parsed(key, value, Long::parseLong);
  }

  private static <T> T parsed(
      String key, String value, java.util.function.Function<String, T> parser) {
    try {
      return parser.apply(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option '" + key + "' should be a number but is '" + value + "'", e);
    }
  }

  private static boolean flag(String key, String value) {
    return switch (value.trim()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "option '" + key + "' should be true or false but is '" + value + "'");
    };
  }
}
