package io.obelus.core.file.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.deletion.DeletionFile.Range;
import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.testing.MemoryStorage;
import io.obelus.testing.Seeds;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeletionFilesTest {

  /** Version, size 22, magic, one Roaring bitmap with position 5, CRC. */
  private static final String ONE_ROW =
      "01 00000016 5e43f2d0 3a300000 01000000 0000 0000 10000000 0500 ";

  private static final Range RANGE = new Range("f1.parquet", 1, 22, 1L);

  private final MemoryStorage storage = new MemoryStorage();
  private final DeletionFiles files = new DeletionFiles(storage, "t/index");

  @ParameterizedTest
  @EnumSource
  void what_was_written_is_read_again(DeletionCoding coding) {
    Seeds.each(
        random -> {
          SortedMap<String, Positions> bitmaps = someBitmaps(random);
          String name = "index-" + random.nextLong();
          DeletionFile file = files.write(name, coding, bitmaps);
          bitmaps.values().removeIf(Positions::isEmpty);
          assertThat(file.bitmaps()).isEqualTo(bitmaps.size());
          assertThat(file.size()).isEqualTo(storage.size("t/index/" + name));
          assertThat(files.read(file)).isEqualTo(bitmaps);
          for (Map.Entry<String, Positions> entry : bitmaps.entrySet()) {
            assertThat(files.read(file, entry.getKey(), 1L << 31)).isEqualTo(entry.getValue());
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_bucket_without_deleted_rows_has_an_empty_file(DeletionCoding coding) throws IOException {
    SortedMap<String, Positions> bitmaps = new TreeMap<>(Map.of("f1.parquet", new Positions()));
    DeletionFile file = files.write("index-7", coding, bitmaps);
    assertThat(storage.read("t/index/index-7"))
        .isEqualTo(coding == DeletionCoding.DELETE_MAP ? new byte[8] : new byte[] {1});
    assertThat(file.bitmaps()).isZero();
    assertThat(file.ranges()).isEmpty();
    assertThat(files.read(file)).isEmpty();
    assertThat(files.read(file, "f1.parquet", 10)).isNull();
    assertThat(bitmaps).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void how_a_bitmap_grew_does_not_change_its_bytes(DeletionCoding coding) throws IOException {
    Positions singly = new Positions();
    for (int i = 1; i < 4; i++) {
      singly.add(i);
    }
    files.write("index-1", coding, new TreeMap<>(Map.of("f", singly)));
    files.write("index-2", coding, new TreeMap<>(Map.of("f", Positions.range(1, 4))));
    assertThat(storage.read("t/index/index-1")).isEqualTo(storage.read("t/index/index-2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"index/dv-many-files", "index/dv64-many-files"})
  void one_bitmap_is_read_although_all_others_are_damaged(String name) throws IOException {
    GoldenDeletions golden = GoldenDeletions.named(name);
    Range range = golden.file().ranges().get(17);
    byte[] content = golden.content().clone();
    int end = golden.file().ranges().get(18).offset();
    Arrays.fill(content, 1, range.offset(), (byte) 0xFF);
    Arrays.fill(content, end, content.length, (byte) 0xFF);
    assertThat(GoldenDeletions.holding(content).read(golden.file(), range.dataFile(), 100_000))
        .isEqualTo(golden.bitmaps().get(range.dataFile()));
  }

  @Test
  void one_bitmap_of_a_delete_map_is_read_although_all_others_are_damaged() throws IOException {
    GoldenDeletions golden = GoldenDeletions.named("delete-map/dm-runs-and-bitset");
    byte[] content = golden.content().clone();
    Arrays.fill(content, 132, content.length, (byte) 0xFF);
    assertThat(GoldenDeletions.holding(content).read(golden.file(), "data-a-0.parquet", 100_000))
        .isEqualTo(Positions.range(60_000, 70_000));
  }

  @Test
  void a_file_elsewhere_is_read_from_its_own_path() throws IOException {
    DeletionFile file =
        files.write(
            "i", DeletionCoding.BITMAP32, new TreeMap<>(Map.of("f", Positions.range(0, 1))));
    storage.rename("t/index/i", "other/i");
    DeletionFile moved = new DeletionFile("i", file.size(), 1, false, file.ranges(), "other/i");
    assertThat(files.read(moved)).containsOnlyKeys("f");
    assertThatThrownBy(() -> files.read(file)).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void a_flipped_bit_is_reported_with_file_and_offset() {
    refused(
        ONE_ROW.replace("0500", "0400") + "00000000",
        RANGE,
        "t/index/index-7 at byte 27: bitmap of f1.parquet: CRC-32 should be ");
  }

  @Test
  void a_wrong_magic_is_refused() {
    refused(
        ONE_ROW.replace("5e43f2d0", "5e43f2d1") + "00000000",
        RANGE,
        "t/index/index-7 at byte 5: bitmap of f1.parquet: magic should be 5e43f2d0 or d1d33964 but"
            + " is 5e43f2d1.");
  }

  @Test
  void a_size_that_is_not_the_manifest_s_is_refused() {
    refused(
        ONE_ROW.replace("00000016", "7fffffff") + "00000000",
        RANGE,
        "t/index/index-7 at byte 1: bitmap of f1.parquet: size should be 22 but is 2147483647.");
    refused(
        ONE_ROW.replace("00000016", "7fffffff") + "00000000",
        new Range("f1.parquet", 1, Integer.MAX_VALUE, 1L),
        "t/index/index-7 at byte 1: bitmap of f1.parquet: 2147483647 bytes do not fit in the file.");
    refused(
        ONE_ROW.replace("00000016", "80000000") + "00000000",
        new Range("f1.parquet", 1, Integer.MIN_VALUE, 1L),
        "t/index/index-7 at byte 1: bitmap of f1.parquet: -2147483648 bytes do not fit in the file.");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 24, 31, Integer.MAX_VALUE})
  void a_range_outside_the_file_is_refused(int offset) {
    refused(
        ONE_ROW + "00000000",
        new Range("f1.parquet", offset, 22, 1L),
        "t/index/index-7 at byte "
            + offset
            + ": bitmap of f1.parquet cannot start here in a file of 31 bytes.");
  }

  @Test
  void a_sound_crc_does_not_make_a_sound_bitmap() {
    String five = "3a300000 01000000 0000 0000 10000000 0500";
    refusedBody("5e43f2d0" + five + "00", 27, "1 bytes follow its end.");
    refusedBody("5e43f2d0" + five.replace("0100", "0200"), 25, "offsets of 8 bytes");
    refusedBody(
        "5e43f2d0 3a300000 01000000 0080 0000 10000000 0500",
        1,
        " marks row 2147483653, but that data file has at most 2147483648 rows");
    refusedBody("d1d33964 01000000", 9, "8 bytes should follow, but 4 bytes are left.");
    refusedBody("d1d33964 ffffffffffffffff", 9, "parts should be at least 0 but is -1.");
    refusedBody(
        "d1d33964 ffffffffffffff7f 00000000" + five, 39, "4 bytes should follow, but 0 bytes");
    refusedBody(
        "d1d33964 0200000000000000 01000000" + five + "01000000" + five,
        39,
        "key should be above 1 but is 1.");
    refusedBody(
        "d1d33964 0100000000000000 ffffffff" + five, 17, "key should be above -1 but is -1");
    refusedBody("d1d33964 0000000000000000" + five, 17, "18 bytes follow its end.");
  }

  /** A file whose one box has this magic and content, the right size and the right CRC. */
  private static void refusedBody(String hex, int offset, String problem) {
    byte[] body = bytes(hex);
    CRC32 crc = new CRC32();
    crc.update(body);
    byte[] content =
        ByteBuffer.allocate(body.length + 9)
            .put((byte) 1)
            .putInt(body.length)
            .put(body)
            .putInt((int) crc.getValue())
            .array();
    int length = hex.startsWith("5e") ? body.length : body.length + 8;
    Range range = new Range("f1.parquet", 1, length, null);
    assertThatThrownBy(() -> GoldenDeletions.holding(content).read(file(content, 1, range)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("t/index/index-7 at byte " + offset + ": bitmap of f1.parquet")
        .hasMessageContaining(problem);
  }

  @Test
  void a_cardinality_that_is_not_the_manifest_s_is_refused() {
    GoldenDeletions golden = GoldenDeletions.named("index/dv-one-row");
    Range range = golden.file().ranges().get(0);
    Range wrong = new Range(range.dataFile(), 1, 22, 2L);
    assertThatThrownBy(
            () ->
                GoldenDeletions.holding(golden.content())
                    .read(file(golden.content(), 1, wrong), range.dataFile(), 10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(": number of deleted rows should be 2 but is 1.");
  }

  @Test
  void a_missing_cardinality_is_not_compared() throws IOException {
    GoldenDeletions golden = GoldenDeletions.named("index/dv-one-row");
    Range old = new Range("f1.parquet", 1, 22, null);
    assertThat(GoldenDeletions.holding(golden.content()).read(file(golden.content(), 1, old)))
        .containsEntry("f1.parquet", Positions.range(5, 6));
  }

  @Test
  void a_bitmap_that_no_range_names_is_refused() {
    GoldenDeletions golden = GoldenDeletions.named("index/dv-many-files");
    List<Range> ranges = golden.file().ranges();
    int length = golden.content().length;
    assertThatThrownBy(() -> readAll(golden, ranges.subList(0, 39), 39))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("end of the last bitmap should be " + length + " but is ");
    assertThatThrownBy(() -> readAll(golden, ranges.subList(1, 40), 39))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("should be 1 but is " + ranges.get(1).offset());
    assertThatThrownBy(() -> readAll(golden, ranges, 39))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("number of bitmaps should be 39 but is 40");
  }

  @Test
  void another_version_is_refused_by_name() {
    byte[] content = bytes(ONE_ROW.replace("01 ", "02 ") + "00000000");
    assertThatThrownBy(
            () -> GoldenDeletions.holding(content).read(file(content, 1, RANGE), "f1.parquet", 10))
        .isInstanceOf(UnknownVersionException.class)
        .hasMessage(
            "t/index/index-7 at byte 0: deletion file has version 2, but this release reads 1. Use a"
                + " newer release to read it.");
  }

  @Test
  void a_file_of_another_size_is_refused() {
    byte[] content = bytes(ONE_ROW + "00000000");
    DeletionFile file = new DeletionFile("index-7", 32, 1, false, List.of(RANGE), null);
    assertThatThrownBy(() -> GoldenDeletions.holding(content).read(file))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("t/index/index-7 at byte 0: file size should be 32 but is 31.");
  }

  @Test
  void a_data_file_with_fewer_rows_is_another_file() {
    GoldenDeletions golden = GoldenDeletions.named("index/dv64-one-row");
    String dataFile = golden.file().ranges().get(0).dataFile();
    assertThatThrownBy(
            () -> GoldenDeletions.holding(golden.content()).read(golden.file(), dataFile, 5))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(" marks row 5, but that data file has at most 5 rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pt=1/f.parquet", "f\0", "f\ud800"})
  void a_delete_map_names_only_plain_files(String name) {
    SortedMap<String, Positions> bitmaps = new TreeMap<>(Map.of(name, Positions.range(0, 1)));
    assertThatThrownBy(() -> files.write("index-7", DeletionCoding.DELETE_MAP, bitmaps))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A delete map cannot name the data file '%s'.".formatted(name));
  }

  private static void refused(String hex, Range range, String message) {
    byte[] content = bytes(hex);
    assertThatThrownBy(
            () -> GoldenDeletions.holding(content).read(file(content, 1, range), "f1.parquet", 10))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(message);
  }

  private static Map<String, Positions> readAll(
      GoldenDeletions golden, List<Range> ranges, int bitmaps) throws IOException {
    return GoldenDeletions.holding(golden.content())
        .read(new DeletionFile("index-7", golden.content().length, bitmaps, false, ranges, null));
  }

  private static DeletionFile file(byte[] content, int bitmaps, Range range) {
    return new DeletionFile("index-7", content.length, bitmaps, false, List.of(range), null);
  }

  private static SortedMap<String, Positions> someBitmaps(Random random) {
    SortedMap<String, Positions> bitmaps = new TreeMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      Positions positions = new Positions();
      for (int j = random.nextInt(4); j > 0; j--) {
        long from = random.nextInt(200_000);
        positions.addAll(Positions.range(from, from + random.nextInt(80_000)));
        random.ints(100, 0, Integer.MAX_VALUE).forEach(positions::add);
      }
      bitmaps.put("data-é-" + random.nextInt(1000), positions);
    }
    return bitmaps;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
