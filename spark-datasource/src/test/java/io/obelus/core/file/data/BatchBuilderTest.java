package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.row.RowType;
import io.obelus.testing.Seeds;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;

class BatchBuilderTest {

  @Test
  void a_batch_has_the_rows_that_were_added_since_the_last_reset() {
    RowType type = RandomRows.everyType();
    Seeds.each(
        random -> {
          try (BatchBuilder builder = new BatchBuilder(type, 50)) {
            for (int round = 0; round < 3; round++) {
              List<InternalRow> rows =
                  DataFileTest.randomRows(random, type, 1 + random.nextInt(50));
              rows.forEach(builder::add);
              assertThat(builder.full()).isEqualTo(rows.size() == 50);
              assertThat(builder.batch().numRows()).isEqualTo(rows.size());
              for (int i = 0; i < rows.size(); i++) {
                assertThat(RandomRows.plain(builder.batch().getRow(i), type))
                    .isEqualTo(RandomRows.plain(rows.get(i), type));
              }
              builder.reset();
              assertThat(builder.isEmpty()).isTrue();
            }
          }
        });
  }
}
