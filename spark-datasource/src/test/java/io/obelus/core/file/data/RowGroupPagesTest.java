package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowGroupPagesTest {

  private static final RowType TYPE = RandomRows.everyType();

  @TempDir Path directory;

  private DataFile write(List<InternalRow> rows, String codec, Map<String, String> parquet)
      throws IOException {
    DataFileSettings settings =
        new DataFileSettings("data-", 1L << 30, codec, 60_000, true, DataFileTest.STATS, parquet);
    return DataFileTest.write(directory, TYPE, rows, settings);
  }

  private static Map<String, String> smallPages(Random random, String version) {
    return Map.of(
        "parquet.writer.version", version,
        "parquet.page.size", String.valueOf(200 + random.nextInt(4000)),
        "parquet.page.size.row.check.min", "10",
        "parquet.page.row.count.limit", String.valueOf(10 + random.nextInt(300)),
        "parquet.enable.dictionary", String.valueOf(random.nextBoolean()));
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static RowRanges ranges(Random random, long rowCount) {
    List<Long> from = new ArrayList<>();
    List<Long> to = new ArrayList<>();
    for (long at = random.nextInt(200); at < rowCount; ) {
      long end = Math.min(rowCount, at + 1 + random.nextInt(100));
      from.add(at);
      to.add(end);
      at = end + 1 + random.nextInt(400);
    }
    return Ranges.of(
        rowCount,
        from.stream().mapToLong(Long::longValue).toArray(),
        to.stream().mapToLong(Long::longValue).toArray(),
        from.size());
  }

  /** All that a decoder gets to know of the pages of a column. */
  private static List<Object> drain(PageReadStore store, ColumnDescriptor column)
      throws IOException {
    PageReader pages = store.getPageReader(column);
    List<Object> found = new ArrayList<>();
    DictionaryPage dictionary = pages.readDictionaryPage();
    if (dictionary != null) {
      found.add(
          List.of(
              bytes(dictionary.getBytes()),
              dictionary.getDictionarySize(),
              dictionary.getEncoding()));
    }
    for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
      found.add(List.of(page.getValueCount(), page.getFirstRowIndex(), page.accept(CONTENT)));
    }
    return found;
  }

  private static final DataPage.Visitor<List<Object>> CONTENT =
      new DataPage.Visitor<>() {
        @Override
        public List<Object> visit(DataPageV1 page) {
          return List.of(
              bytes(page.getBytes()),
              page.getIndexRowCount(),
              page.getRlEncoding(),
              page.getDlEncoding(),
              page.getValueEncoding());
        }

        @Override
        public List<Object> visit(DataPageV2 page) {
          return List.of(
              bytes(page.getRepetitionLevels()),
              bytes(page.getDefinitionLevels()),
              bytes(page.getData()),
              page.getRowCount(),
              page.getNullCount(),
              page.getDataEncoding(),
              page.isCompressed());
        }
      };

  private static List<Byte> bytes(BytesInput page) {
    try {
      List<Byte> bytes = new ArrayList<>();
      for (byte b : page.toByteArray()) {
        bytes.add(b);
      }
      return bytes;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pages_are_those_that_parquet_reads_itself() {
    Seeds.each(
        30,
        random -> {
          List<InternalRow> rows = DataFileTest.randomRows(random, TYPE, 1 + random.nextInt(900));
          String codec = pick(random, List.of("zstd", "snappy", "gzip", "lz4", "uncompressed"));
          DataFile data = write(rows, codec, smallPages(random, pick(random, List.of("v1", "v2"))));
          String path = data.path(directory.toString());
          var input =
              HadoopInputFile.fromPath(
                  new org.apache.hadoop.fs.Path(path), new Configuration(false));
          try (OpenFile ours = new OpenFile(DataFileTest.STORAGE, path, rows.size());
              ParquetFileReader theirs = ParquetFileReader.open(input)) {
            for (int group = 0; group < ours.blocks().size(); group++) {
              BlockMetaData block = ours.blocks().get(group);
              PageReadStore all = RowGroupPages.all(ours, block, ours.schema());
              assertSame(all, theirs.readRowGroup(group), ours);
              RowRanges ranges = ranges(random, block.getRowCount());
              if (ranges.rowCount() > 0) {
                PageReadStore some = RowGroupPages.some(ours, block, ours.schema(), ranges);
                assertSame(some, theirs.readFilteredRowGroup(group, ranges), ours);
              }
            }
          }
        });
  }

  private static void assertSame(PageReadStore ours, PageReadStore theirs, OpenFile file)
      throws IOException {
    assertThat(ours.getRowCount()).isEqualTo(theirs.getRowCount());
    assertThat(rowIndexes(ours)).isEqualTo(rowIndexes(theirs));
    for (ColumnDescriptor column : file.schema().getColumns()) {
      assertThat(drain(ours, column))
          .as("%s of %s", column, file.path())
          .isEqualTo(drain(theirs, column));
    }
  }

  private static List<Long> rowIndexes(PageReadStore store) {
    List<Long> rows = new ArrayList<>();
    store.getRowIndexes().ifPresent(all -> all.forEachRemaining((long row) -> rows.add(row)));
    return rows;
  }

  static Stream<Arguments> codecs() {
    return Stream.of("zstd", "snappy", "gzip", "lz4", "uncompressed")
        .flatMap(codec -> Stream.of("v1", "v2").map(version -> Arguments.of(codec, version)));
  }

  /** This Parquet writes no CRCs of pages of version 2: there values may change. */
  @ParameterizedTest
  @MethodSource("codecs")
  void a_flipped_byte_of_a_page_is_reported_or_changes_no_value(String codec, String version)
      throws IOException {
    Random random = new Random(5);
    List<InternalRow> rows = DataFileTest.randomRows(random, TYPE, 150);
    DataFile data = write(rows, codec, smallPages(random, version));
    String path = data.path(directory.toString());
    byte[] whole = Files.readAllBytes(Path.of(path));
    List<Object> expected = values(path, rows.size());
    int end = endOfPages(path, rows.size());
    int found = 0;
    int tried = 0;
    for (int at = 4; at < end; at += 1 + random.nextInt(end / 300)) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(Path.of(path), damaged);
      tried++;
      try {
        List<Object> read = values(path, rows.size());
        if (version.equals("v1")) {
          assertThat(read.equals(expected)).as("byte %d of %d", at, end).isTrue();
        }
      } catch (CorruptFileException e) {
        assertThat(e).hasMessageContaining(data.name());
        found++;
      }
    }
    boolean isChecked = version.equals("v1") || codec.equals("zstd") || codec.equals("gzip");
    assertThat(found).isGreaterThan(isChecked ? tried / 3 : 1);
  }

  private static int endOfPages(String path, long rowCount) throws IOException {
    try (OpenFile file = new OpenFile(DataFileTest.STORAGE, path, rowCount)) {
      return (int) file.blocks().get(0).getColumns().get(0).getColumnIndexReference().getOffset();
    }
  }

  /** How many values pages have, and their bytes, without what only their headers say. */
  private static List<Object> values(String path, long rowCount) throws IOException {
    try (OpenFile file = new OpenFile(DataFileTest.STORAGE, path, rowCount)) {
      return file.guarded(
          () -> {
            List<Object> found = new ArrayList<>();
            for (BlockMetaData block : file.blocks()) {
              PageReadStore pages = RowGroupPages.all(file, block, file.schema());
              for (ColumnDescriptor column : file.schema().getColumns()) {
                addValues(pages.getPageReader(column), found);
              }
            }
            return found;
          });
    }
  }

  private static void addValues(PageReader pages, List<Object> found) {
    DictionaryPage dictionary = pages.readDictionaryPage();
    if (dictionary != null) {
      found.add(bytes(dictionary.getBytes()));
    }
    for (DataPage page = pages.readPage(); page != null; page = pages.readPage()) {
      found.add(page.getValueCount());
      found.add(page.accept(CONTENT).get(0));
    }
  }

  @Test
  void a_page_that_is_not_what_its_crc_says_is_reported_with_its_place() throws IOException {
    Random random = new Random(3);
    DataFile data =
        write(DataFileTest.randomRows(random, TYPE, 100), "uncompressed", smallPages(random, "v1"));
    String path = data.path(directory.toString());
    byte[] bytes = Files.readAllBytes(Path.of(path));
    long from;
    try (OpenFile file = new OpenFile(DataFileTest.STORAGE, path, 100)) {
      from = file.blocks().get(0).getColumns().get(0).getStartingPos();
    }
    bytes[(int) from + 40] ^= 1;
    Files.write(Path.of(path), bytes);
    assertThatThrownBy(() -> values(path, 100))
        .isInstanceOf(CorruptFileException.class)
        .message()
        .containsPattern(data.name() + " at byte \\d+: CRC of a page of \\[.*\\] should be ")
        .contains("damaged or cut short");
  }
}
