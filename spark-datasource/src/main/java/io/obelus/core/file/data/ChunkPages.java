package io.obelus.core.file.data;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * The pages of one column of a row group, all or some, in their order. Each is read when it is
 * asked for, checked by the CRC that Parquet keeps of it, and decompressed.
 *
 * <p>A data page is valid until the next one is asked for, which takes its memory; a dictionary
 * lasts. Memory: a window of the file and one page. Not thread-safe.
 *
 * <pre>
 *   chunk    [dictionary page] data page*
 *   page     header (Thrift compact: kind, sizes, CRC of the body), body
 *   body     version 1 and dictionary: all of it compressed
 *            version 2: repetition levels, definition levels, then the values, compressed or not
 * </pre>
 */
final class ChunkPages implements PageReader {

  private static final Statistics<?> NO_STATISTICS = null;

  private final ColumnChunkMetaData chunk;
  private final WantedPages wanted; // null = all
  private final FileWindow window;
  private final Decompressors.Decompressor decompressor;
  private final CRC32 crc = new CRC32();

  private PageHeader header; // of the page whose body comes next; null if it was not read
  private long runEnd; // of the wanted pages that follow each other where the window is
  private int pagesRead;
  private long valuesRead;
  private byte[] page = new byte[0];

  private ChunkPages(OpenFile file, ColumnChunkMetaData chunk, WantedPages wanted) {
    this.chunk = chunk;
    this.wanted = wanted;
    this.window = file.window();
    this.decompressor = file.decompressor(chunk.getCodec());
  }

  static ChunkPages all(OpenFile file, ColumnChunkMetaData chunk) {
    return new ChunkPages(file, chunk, null);
  }

  static ChunkPages some(OpenFile file, WantedPages wanted) {
    return new ChunkPages(file, wanted.chunk(), wanted);
  }

  /** Values of the whole chunk, though some of its pages be left out. */
  @Override
  public long getTotalValueCount() {
    return chunk.getValueCount();
  }

  /** The dictionary, null if there is none; to be asked for first. */
  @Override
  public DictionaryPage readDictionaryPage() {
    try {
      long start = chunk.getStartingPos();
      if (wanted == null) {
        window.move(start, start + chunk.getTotalSize());
      } else if (wanted.hasDictionary()) {
        runEnd = wanted.dictionaryRunEnd();
        window.move(start, runEnd);
      } else {
        return null;
      }
      readHeader();
      return header.getType() == PageType.DICTIONARY_PAGE ? dictionary() : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public DataPage readPage() {
    if (isOver()) {
      return null;
    }
    try {
      if (wanted != null) {
        moveToNext();
      }
      if (header == null) {
        readHeader();
      }
      DataPage next =
          switch (header.getType()) {
            case DATA_PAGE -> version1(header.getData_page_header());
            case DATA_PAGE_V2 -> version2(header.getData_page_header_v2());
            default -> throw damage("kind of page", "DATA_PAGE", header.getType());
          };
      header = null;
      pagesRead++;
      return next;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void moveToNext() {
    header = null; // of what stands behind the dictionary
    long from = wanted.from(pagesRead);
    if (from >= runEnd) {
      runEnd = wanted.runEnd(pagesRead);
    }
    window.move(from, runEnd);
  }

  private boolean isOver() {
    return wanted == null ? valuesRead == chunk.getValueCount() : pagesRead == wanted.count();
  }

  private void readHeader() throws IOException {
    header = Util.readPageHeader(window);
    int size = header.getUncompressed_page_size();
    if (size < 0 || size > chunk.getTotalUncompressedSize()) {
      throw damage("size of a page", "at most " + chunk.getTotalUncompressedSize(), size);
    }
  }

  /** Takes the body of the page; returns where in the window it begins. */
  private int body() throws IOException {
    Place place = window.place();
    int length = header.getCompressed_page_size();
    int from = window.take(length);
    if (header.isSetCrc()) {
      crc.reset();
      crc.update(window.bytes(), from, length);
      if ((int) crc.getValue() != header.getCrc()) {
        throw new CorruptFileException(
            place,
            "CRC of a page of " + chunk.getPath(),
            Integer.toHexString(header.getCrc()),
            Integer.toHexString((int) crc.getValue()));
      }
    }
    return from;
  }

  private DictionaryPage dictionary() throws IOException {
    DictionaryPageHeader dictionary = header.getDictionary_page_header();
    int from = body();
    byte[] values = new byte[header.getUncompressed_page_size()];
    decompressor.decompress(
        window.bytes(), from, header.getCompressed_page_size(), values, 0, values.length);
    header = null;
    return new DictionaryPage(
        new PageBytes(values, 0, values.length, true),
        dictionary.getNum_values(),
        encoding(dictionary.getEncoding()));
  }

  private DataPage version1(DataPageHeader data) throws IOException {
    int values = counted(data.getNum_values());
    int from = body();
    int size = header.getUncompressed_page_size();
    reserve(size);
    decompressor.decompress(window.bytes(), from, header.getCompressed_page_size(), page, 0, size);
    Encoding repetition = encoding(data.getRepetition_level_encoding());
    Encoding definition = encoding(data.getDefinition_level_encoding());
    Encoding encoding = encoding(data.getEncoding());
    PageBytes bytes = values(0, size, encoding);
    if (wanted == null) {
      return new DataPageV1(bytes, values, size, NO_STATISTICS, repetition, definition, encoding);
    }
    return new DataPageV1(
        bytes,
        values,
        size,
        wanted.firstRow(pagesRead),
        wanted.rows(pagesRead),
        NO_STATISTICS,
        repetition,
        definition,
        encoding);
  }

  private DataPage version2(DataPageHeaderV2 data) throws IOException {
    int count = counted(data.getNum_values());
    int repetition = data.getRepetition_levels_byte_length();
    int definition = data.getDefinition_levels_byte_length();
    long levelBytes = (long) repetition + definition;
    int from = body();
    int size = header.getUncompressed_page_size();
    int compressed = header.getCompressed_page_size();
    if (repetition < 0 || definition < 0 || levelBytes > Math.min(size, compressed)) {
      throw damage("levels of a page", "at most " + Math.min(size, compressed), levelBytes);
    }
    reserve(size);
    int levels = (int) levelBytes;
    System.arraycopy(window.bytes(), from, page, 0, levels);
    if (size > levels) { // of no values some compressors make no bytes, which is no frame
      Decompressors.Decompressor values =
          data.isIs_compressed() ? decompressor : Decompressors.PLAIN;
      values.decompress(
          window.bytes(), from + levels, compressed - levels, page, levels, size - levels);
    }
    Encoding encoding = encoding(data.getEncoding());
    PageBytes repetitionLevels = new PageBytes(page, 0, repetition, true);
    PageBytes definitionLevels = new PageBytes(page, repetition, definition, true);
    PageBytes bytes = values(levels, size - levels, encoding);
    if (wanted == null) {
      return DataPageV2.uncompressed(
          data.getNum_rows(),
          data.getNum_nulls(),
          count,
          repetitionLevels,
          definitionLevels,
          encoding,
          bytes,
          NO_STATISTICS);
    }
    return DataPageV2.uncompressed(
        data.getNum_rows(),
        data.getNum_nulls(),
        count,
        wanted.firstRow(pagesRead),
        repetitionLevels,
        definitionLevels,
        encoding,
        bytes,
        NO_STATISTICS);
  }

  /** A header is under no CRC: what it says is compared with what is known of the rows. */
  private int counted(int values) {
    valuesRead += values;
    long most = chunk.getValueCount();
    if (values < 0 || valuesRead > most) {
      throw damage("number of values of " + chunk.getPath(), "at most " + most, valuesRead);
    }
    if (wanted != null && wanted.isFlat() && values != wanted.rows(pagesRead)) {
      throw damage("number of values of a page", wanted.rows(pagesRead), values);
    }
    return values;
  }

  private PageBytes values(int from, int length, Encoding encoding) {
    return new PageBytes(page, from, length, encoding != Encoding.PLAIN);
  }

  private void reserve(int size) {
    if (page.length < size) {
      page = new byte[size];
    }
  }

  private static Encoding encoding(org.apache.parquet.format.Encoding stored) {
    return Encoding.valueOf(stored.name());
  }

  private CorruptFileException damage(String what, Object expected, Object found) {
    return new CorruptFileException(window.place(), what, expected, found);
  }
}
