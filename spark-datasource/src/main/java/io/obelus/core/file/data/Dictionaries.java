package io.obelus.core.file.data;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainBinaryDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainDoubleDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainFixedLenArrayDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainFloatDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainIntegerDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainLongDictionaryValuesWriter;
import org.apache.parquet.column.values.factory.DefaultValuesWriterFactory;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.apache.parquet.column.values.fallback.FallbackValuesWriter;

/**
 * Decides after the first page of a column chunk whether its dictionary is worth keeping.
 *
 * <p>Parquet keeps one that has already paid within that page. That is right for pages of 20,000
 * rows and wrong for ours of 2000: a column of 10,000 different numbers has hardly met one twice by
 * then. So the page is taken as a sample, and the question is what 20,000 values would come to:
 * such columns are a quarter smaller. The bytes in the file are those that Parquet's own writers
 * make; one object for each file's settings, not thread-safe.
 */
final class Dictionaries implements ValuesWriterFactory {

  /** Values by which Parquet judges when its pages have their default size. */
  private static final int JUDGED_VALUES = 20_000;

  private static final int INT96_BYTES = 12;

  private final ValuesWriterFactory parquet = new DefaultValuesWriterFactory();
  private ParquetProperties properties;

  @Override
  public void initialize(ParquetProperties settings) {
    properties = settings;
    parquet.initialize(settings);
  }

  @Override
  public ValuesWriter newValuesWriter(ColumnDescriptor column) {
    ValuesWriter usual = parquet.newValuesWriter(column);
    return usual instanceof FallbackValuesWriter<?, ?> both
            && both.initialWriter instanceof DictionaryValuesWriter dictionary
        ? FallbackValuesWriter.of(sampling(column, dictionary.getEncoding()), both.fallBackWriter)
        : usual;
  }

  /**
   * Whether a dictionary pays, going by a sample. Without values it does not: Parquet writes no
   * dictionary that is empty, and would leave pages of ids without one.
   *
   * @param values in the sample
   * @param distinct how many of them are different
   * @param entries bytes of the dictionary that has them
   * @param plain bytes of the sample without a dictionary
   */
  static boolean pays(int values, int distinct, long entries, long plain) {
    if (values == 0) {
      return false;
    }
    int judged = Math.max(values, JUDGED_VALUES);
    double all = distinctValues(values, distinct);
    double met = all * -Math.expm1(-judged / all);
    double dictionary = met * entries / distinct;
    double ids = judged * (Math.floor(Math.log(Math.max(1, met)) / Math.log(2)) + 1) / Byte.SIZE;
    return dictionary + ids < (double) plain / values * judged;
  }

  /**
   * How many equally frequent values there are if a sample has {@code distinct} different ones
   * among {@code values}: n draws from N of them meet N (1 - exp(-n / N)).
   */
  private static double distinctValues(int values, int distinct) {
    if (distinct >= values) {
      return Double.MAX_VALUE;
    }
    double low = distinct;
    double high = (double) values * values; // would have met one twice in every second sample
    for (int step = 0; step < 60; step++) {
      double middle = (low + high) / 2;
      if (middle * -Math.expm1(-values / middle) < distinct) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Parquet's writer of the type: its judgement is a method that only a subclass can replace. */
  private DictionaryValuesWriter sampling(ColumnDescriptor column, Encoding ids) {
    int most = properties.getDictionaryPageSizeThreshold();
    Encoding entries = ids == Encoding.PLAIN_DICTIONARY ? ids : Encoding.PLAIN;
    var memory = properties.getAllocator();
    return switch (column.getPrimitiveType().getPrimitiveTypeName()) {
      case INT32 ->
          new PlainIntegerDictionaryValuesWriter(most, ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case INT64 ->
          new PlainLongDictionaryValuesWriter(most, ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case FLOAT ->
          new PlainFloatDictionaryValuesWriter(most, ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case DOUBLE ->
          new PlainDoubleDictionaryValuesWriter(most, ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case BINARY ->
          new PlainBinaryDictionaryValuesWriter(most, ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case INT96, FIXED_LEN_BYTE_ARRAY ->
          new PlainFixedLenArrayDictionaryValuesWriter(most, width(column), ids, entries, memory) {
            @Override
            public boolean isCompressionSatisfying(long plain, long encoded) {
              return pays(encodedValues.size(), getDictionarySize(), dictionaryByteSize, plain);
            }
          };
      case BOOLEAN -> throw new IllegalStateException("a BOOLEAN column has no dictionary");
    };
  }

  private static int width(ColumnDescriptor column) {
    int length = column.getPrimitiveType().getTypeLength();
    return length == 0 ? INT96_BYTES : length;
  }
}
