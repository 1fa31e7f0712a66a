package io.obelus.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.file.position.Positions;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.testing.GoldenIndexes.GoldenIndex;
import io.obelus.testing.GoldenIndexes.Query;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoldenIndexesTest {

  @ParameterizedTest
  @ValueSource(strings = {"bitmap", "bsi", "bloom-filter", "range-bitmap"})
  void the_exact_answers_are_those_of_a_look_at_every_row(String kind) {
    List<GoldenIndex> indexes = GoldenIndexes.of(kind);
    assertThat(indexes).isNotEmpty();
    for (GoldenIndex index : indexes) {
      // Nanoseconds, which Spark cuts off, decide about the rows of this one.
      if (!index.name().equals("bitmap-v2-timestamp9")) {
        index.queries().forEach(query -> checkQuery(index, query));
      }
    }
  }

  private static void checkQuery(GoldenIndex index, Query query) {
    if (query.leaf() != null && query.sqlRows() != null) {
      assertThat(matching(index, query)).as("%s: %s", index, query).isEqualTo(query.sqlRows());
    }
  }

  private static Positions matching(GoldenIndex index, Query query) {
    Predicate condition = query.negated() ? Predicates.not(query.leaf()) : query.leaf();
    RowType type = new RowType(List.of(index.column()));
    Positions matching = new Positions();
    int row = 0;
    for (InternalRow values : index.rows()) {
      if (Predicates.test(condition, values, type) == Truth.TRUE) {
        matching.add(row);
      }
      row++;
    }
    return matching;
  }
}
