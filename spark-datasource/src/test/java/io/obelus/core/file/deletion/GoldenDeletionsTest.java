package io.obelus.core.file.deletion;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.file.position.Positions;
import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.UnknownVersionException;
import io.obelus.testing.MemoryStorage;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenDeletionsTest {

  /** By name of the file: where it is refused and why. */
  private static final Map<String, String> REFUSALS =
      Map.ofEntries(
          entry(
              "delete-map/bad-bitmap-cookie",
              "60: bitmap of a.parquet: cookie should be 12346 or 12347 but is 0"),
          entry(
              "delete-map/bad-bitmap-longer-than-size",
              "76: bitmap of a.parquet: values of 20 bytes should follow, but 4 bytes are left"),
          entry(
              "delete-map/bad-bitmap-not-ascending",
              "78: bitmap of a.parquet: value should be above 9 but is 1"),
          entry(
              "delete-map/bad-bitmap-shorter-than-size",
              "78: bitmap of a.parquet: 2 bytes follow its end"),
          entry(
              "delete-map/bad-duplicate-name",
              "33: name of entry 1 should be above a.parquet but is a.parquet"),
          entry("delete-map/bad-empty-name", "8: name of entry 0 is empty"),
          entry(
              "delete-map/bad-empty-with-name-length",
              "4: name length of no entries should be 0 but is 4"),
          entry("delete-map/bad-gap", "44: bitmap of bb.parquet: start should be 80 but is 81"),
          entry(
              "delete-map/bad-huge-count",
              "0: end of the directory should be at most 98 but is 55834574830"),
          entry(
              "delete-map/bad-huge-name-length",
              "0: end of the directory should be at most 98 but is 4294967334"),
          entry(
              "delete-map/bad-name-length-not-reached",
              "4: no name has the name length of 12 bytes"),
          entry("delete-map/bad-negative-count", "0: entry count should be at least 0 but is -1"),
          entry(
              "delete-map/bad-negative-name-length", "4: name length should be above 0 but is -1"),
          entry(
              "delete-map/bad-negative-size",
              "26: bitmap of a.parquet: size should be in [8, 38] but is -1"),
          entry("delete-map/bad-nul-inside-name", "8: name of entry 0 holds a zero byte"),
          entry(
              "delete-map/bad-order",
              "33: name of entry 1 should be above c.parquet but is b.parquet"),
          entry("delete-map/bad-overlap", "44: bitmap of bb.parquet: start should be 80 but is 64"),
          entry("delete-map/bad-slash-in-name", "8: name of entry 0 holds a slash"),
          entry(
              "delete-map/bad-start-in-directory",
              "18: bitmap of a.parquet: start should be 60 but is 8"),
          entry(
              "delete-map/bad-start-plus-size-overflow",
              "44: bitmap of bb.parquet: start should be 80 but is 9223372036854775807"),
          entry(
              "delete-map/bad-start-relative",
              "18: bitmap of a.parquet: start should be 60 but is 0"),
          entry(
              "delete-map/bad-trailing-byte", "98: end of the last bitmap should be 99 but is 98"),
          entry(
              "delete-map/bad-truncated-body",
              "52: bitmap of bb.parquet: size should be in [8, 17] but is 18"),
          entry("delete-map/bad-truncated-count", "0: file size should be at least 8 but is 7"),
          entry(
              "delete-map/bad-truncated-directory",
              "0: end of the directory should be at most 40 but is 60"),
          entry("delete-map/bad-utf8", "8: name of entry 0 is not UTF-8"),
          entry("delete-map/bad-zero-length", "0: file size should be at least 8 but is 0"));

  @ParameterizedTest
  @MethodSource("io.obelus.core.file.deletion.GoldenDeletions#good")
  void each_file_reads_as_its_description_says(GoldenDeletions golden) throws IOException {
    DeletionFiles files = GoldenDeletions.holding(golden.content());
    assertThat(files.read(golden.file())).containsExactlyEntriesOf(golden.bitmaps());
    for (Map.Entry<String, Positions> entry : golden.bitmaps().entrySet()) {
      long rowCount = entry.getValue().max() + 1;
      assertThat(files.read(golden.file(), entry.getKey(), rowCount)).isEqualTo(entry.getValue());
    }
    assertThat(files.read(golden.file(), "data-of-another-bucket", 10)).isNull();
  }

  @ParameterizedTest
  @MethodSource("io.obelus.core.file.deletion.GoldenDeletions#good")
  void we_write_the_same_bytes(GoldenDeletions golden) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    DeletionFiles files = new DeletionFiles(storage, "t/index");
    DeletionFile written = files.write("index-7", golden.coding(), golden.sortedBitmaps());
    assertThat(storage.read("t/index/index-7")).isEqualTo(golden.content());
    assertThat(written).isEqualTo(golden.file());
  }

  @ParameterizedTest
  @MethodSource("io.obelus.core.file.deletion.GoldenDeletions#bad")
  void each_broken_map_is_refused_with_place_and_reason(GoldenDeletions golden) {
    DeletionFiles files = GoldenDeletions.holding(golden.content());
    String refusal = REFUSALS.get(golden.name());
    assertThat(refusal).isNotNull();
    assertThatThrownBy(() -> files.read(golden.file()))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("t/index/index-7 at byte " + refusal);
  }

  @Test
  void positions_of_two_to_the_thirty_one_are_refused_by_name() {
    GoldenDeletions golden = GoldenDeletions.LARGE;
    DeletionFiles files = GoldenDeletions.holding(golden.content());
    assertThatThrownBy(() -> files.read(golden.file()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "t/index/index-7 at byte 1: bitmap of data-5eee1667-1c2d-4e3f-8a9b-0123456789ab-9.parquet"
                + " marks row 12884901895. Obelus reads data files of at most 2147483648 rows;"
                + " rewrite the data file into smaller ones with the engine that wrote it.");
  }

  @Test
  void a_bitmap_with_a_row_beyond_its_data_file_is_refused() throws IOException {
    GoldenDeletions golden = GoldenDeletions.named("delete-map/dm-row-beyond-row-count");
    DeletionFiles files = GoldenDeletions.holding(golden.content());
    assertThat(files.read(golden.file(), "bb.parquet", 4)).isEqualTo(Positions.range(3, 4));
    assertThatThrownBy(() -> files.read(golden.file(), "a.parquet", 9))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith(
            "t/index/index-7 at byte 60: bitmap of a.parquet marks row 9, but that data file has at"
                + " most 9 rows: the bitmap belongs to another file.");
  }

  @ParameterizedTest
  @MethodSource("io.obelus.core.file.deletion.GoldenDeletions#good")
  void damage_never_ends_in_anything_but_a_refusal(GoldenDeletions golden) {
    boolean checked = golden.coding() != DeletionCoding.DELETE_MAP; // by a CRC
    Seeds.each(
        random -> {
          byte[] damaged = damage(golden.content(), random);
          try {
            Map<String, Positions> found = readAll(golden, damaged);
            if (checked) {
              assertThat(found).isEqualTo(golden.bitmaps());
            } else { // then another map that is sound in itself
              found.values().forEach(p -> assertThat(p.cardinality()).isPositive());
            }
          } catch (CorruptFileException | UnknownVersionException e) {
            assertThat(e.getMessage()).startsWith("t/index/index-7 at byte ");
          }
        });
  }

  private static Map<String, Positions> readAll(GoldenDeletions golden, byte[] damaged)
      throws IOException {
    DeletionFile file = golden.file();
    DeletionFile sized =
        new DeletionFile(
            file.name(), damaged.length, file.bitmaps(), file.deleteMap(), file.ranges(), null);
    return GoldenDeletions.holding(damaged).read(sized);
  }

  /** Flips some bits, mostly near the start where the numbers are; sometimes cuts the end. */
  private static byte[] damage(byte[] content, Random random) {
    int length =
        random.nextInt(4) > 0 ? content.length : Math.max(0, content.length - random.nextInt(40));
    byte[] damaged = Arrays.copyOf(content, length);
    for (int flips = random.nextInt(4); flips > 0 && length > 0; flips--) {
      int at = random.nextInt(random.nextBoolean() ? length : Math.min(length, 200));
      damaged[at] = (byte) random.nextInt();
    }
    return damaged;
  }
}
