package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.data.NearRanges.Joined;
import io.obelus.core.io.CountedStorage;
import io.obelus.core.io.HadoopStorage;
import io.obelus.core.io.PartCache;
import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicate.Comparison;
import io.obelus.core.row.RowType;
import io.obelus.testing.CoreTable;
import io.obelus.testing.FailingStorage;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearRangesTest {

  private static final int GAP = SeekableInput.REMOTE_GAP;
  private static final int MOST = SeekableInput.MOST_AT_ONCE;

  private static NearRanges of(long... fromAndLength) {
    NearRanges ranges = new NearRanges();
    for (int i = 0; i < fromAndLength.length; i += 2) {
      ranges.add(fromAndLength[i], fromAndLength[i + 1]);
    }
    return ranges.join(GAP);
  }

  @Test
  void ranges_with_a_small_gap_are_joined() {
    NearRanges ranges = of(100, 50, 150 + GAP, 10, 160 + GAP, 10);
    Joined all = new Joined(100, 170 + GAP, false);
    assertThat(ranges.around(100, 50)).isEqualTo(all);
    assertThat(ranges.around(150 + GAP, 20)).isEqualTo(all);
    assertThat(ranges.around(160 + GAP, 11)).isNull();
    assertThat(ranges.around(99, 10)).isNull();
  }

  @Test
  void what_stands_alone_is_read_by_itself() {
    NearRanges ranges = of(100, 50, 151 + GAP, 10, 161 + GAP, 10);
    assertThat(ranges.around(100, 50)).isNull();
    assertThat(ranges.around(151 + GAP, 20)).isNull();
    assertThat(of().around(0, 1)).isNull();
  }

  @Test
  void no_more_is_joined_than_fits_into_one_request() {
    NearRanges ranges = of(0, MOST - 10, MOST, 11, MOST + 20, 5);
    assertThat(ranges.around(0, MOST - 10)).isNull();
    assertThat(ranges.around(MOST, 11)).isEqualTo(new Joined(MOST, MOST + 25, false));
  }

  @Test
  void ranges_out_of_order_or_out_of_sense_are_not_joined() {
    assertThat(of(100, 10, 50, 10).around(50, 10)).isNull();
    assertThat(of(100, 10, 105, 10).around(105, 10)).isNull();
    NearRanges damaged = of(-5, 10, 20, -3, Long.MAX_VALUE, 7, 3, Long.MAX_VALUE, 40, 0);
    assertThat(damaged.around(0, 1)).isNull();
  }

  @Test
  void each_range_is_found_whatever_it_is_joined_with() {
    Seeds.each(
        random -> {
          List<long[]> all = new ArrayList<>();
          NearRanges ranges = new NearRanges();
          long at = 0;
          for (int i = 0; i < 100; i++) {
            at += random.nextInt(4) == 0 ? 0 : random.nextInt(3 * GAP);
            long length = 1 + random.nextInt(random.nextInt(10) == 0 ? MOST : 5000);
            ranges.add(at, length);
            all.add(new long[] {at, length});
            at += length;
          }
          ranges.join(GAP);
          for (int i = 0; i < 300; i++) {
            long[] range = all.get(i < 100 ? i : random.nextInt(100));
            Joined joined = ranges.around(range[0], range[1]);
            if (joined != null) {
              assertThat(joined.from()).isLessThanOrEqualTo(range[0]);
              assertThat(joined.to()).isGreaterThanOrEqualTo(range[0] + range[1]);
              assertThat(joined.length()).isLessThanOrEqualTo(MOST);
            }
          }
        });
  }

  @Test
  void a_local_file_is_not_read_where_nothing_is_wanted(@TempDir Path directory)
      throws IOException {
    Path file = Files.write(directory.resolve("f"), new byte[1]);
    Storage local = new HadoopStorage(new Configuration());
    try (SeekableInput input = local.open(file.toString())) {
      assertThat(input.gap()).isEqualTo(4 << 10);
    }
    try (SeekableInput input = new CountedStorage(local, PartCache.NONE).open(file.toString())) {
      assertThat(input.gap()).isEqualTo(4 << 10);
    }
  }

  @Test
  void the_pages_of_one_row_are_read_in_one_request(@TempDir Path directory) throws IOException {
    CoreTable table =
        CoreTable.create(
            directory.resolve("t"),
            List.of("k INT NOT NULL", "a BIGINT", "b BIGINT", "c BIGINT", "d BIGINT"),
            List.of(),
            List.of("k"),
            Map.of("bucket", "1", "parquet.page.row.count.limit", "100"));
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < 2000; k++) {
      rows.add(Row.insert(k, k * 7919L, k * 7907L, k * 7901L, k * 7883L));
    }
    table.write(rows);
    FailingStorage storage = FailingStorage.counting(table.table().storage());
    RowType columns = table.table().schema().rowType();
    Predicate one = new Predicate.Compare(columns.column(0), Comparison.EQUAL, 777);
    assertThat(table.on(storage).rows(columns, one, 1))
        .containsExactly(List.of(777, 777 * 7919L, 777 * 7907L, 777 * 7901L, 777 * 7883L));
    // The footer, the page index of the key, those of all columns, the page of the key, the others.
    assertThat(storage.requests(path -> path.endsWith(".parquet"))).isLessThanOrEqualTo(5);
  }
}
