package io.obelus.core.table.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.file.data.ColumnStats;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowBytes;
import io.obelus.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitPackingTest {

  private static final SplitPacking TO_100 = new SplitPacking(100, 10);

  @Test
  void small_files_share_a_split() {
    List<Split> splits = TO_100.pack(List.of(whole(40, 4, 0), whole(40, 4, 1), whole(40, 4, 0)));
    assertThat(splits).extracting(s -> s.parts().size()).containsExactly(2, 1);
    assertThat(splits).extracting(Split::rows).containsExactly(7L, 4L);
  }

  @Test
  void a_tiny_file_counts_as_much_as_opening_it_costs() {
    List<Split.Part> tiny = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tiny.add(whole(1, 1, 0));
    }
    assertThat(TO_100.pack(tiny)).extracting(s -> s.parts().size()).containsExactly(10, 10);
  }

  @Test
  void a_large_file_is_cut_and_no_piece_promises_rows() {
    List<Split> splits = TO_100.pack(List.of(whole(250, 1000, 30)));
    assertThat(splits).hasSize(3);
    assertThat(splits).allMatch(s -> s.rows() == 0);
  }

  @Test
  void every_row_of_every_file_is_in_one_part() {
    Seeds.each(
        random -> {
          List<Split.Part> files = new ArrayList<>();
          for (int i = random.nextInt(8); i >= 0; i--) {
            files.add(whole(1 + random.nextInt(1000), 1 + random.nextInt(50), 0));
          }
          long target = 1 + random.nextInt(300);
          List<Split.Part> parts =
              new SplitPacking(target, 1 + random.nextInt(50))
                  .pack(files).stream().flatMap(s -> s.parts().stream()).toList();
          for (Split.Part file : files) {
            long next = 0;
            for (Split.Part part : parts) {
              if (part.file() == file.file()) {
                assertThat(part.from()).isEqualTo(next);
                next = part.to();
              }
            }
            assertThat(next).isEqualTo(file.file().rowCount());
          }
        });
  }

  private static Split.Part whole(long size, long rows, long deleted) {
    DataFile file =
        new DataFile(
            "f",
            size,
            rows,
            RowBytes.EMPTY,
            RowBytes.EMPTY,
            ColumnStats.NONE,
            ColumnStats.NONE,
            0,
            0,
            0,
            5,
            List.of(),
            null,
            0L,
            null,
            DataFile.SOURCE_APPEND,
            null,
            null,
            null,
            null);
    return new Split.Part(new BucketId(RowBytes.EMPTY, 0), "d", file, null, deleted, 0, rows);
  }
}
