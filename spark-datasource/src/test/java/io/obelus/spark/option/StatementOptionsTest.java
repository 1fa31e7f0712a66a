package io.obelus.spark.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.ColumnType.Kind;
import io.obelus.core.row.RowType;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.schema.TableSchema;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatementOptionsTest {

  private static final String SESSION_LEVEL_ZERO = "spark.obelus.scan.level-0";

  private static TableSchema schema(Map<String, String> options) {
    RowType columns =
        new RowType(List.of(new Column(0, "id", new ColumnType.Scalar(Kind.INT, 0, 0, false))));
    return new TableSchema(3, 0, columns, 0, List.of(), List.of("id"), options, null, 0);
  }

  private static LevelZero levelZero(Map<String, String> table, Map<String, String> statement) {
    return ReadSettings.of(StatementOptions.ofRead(schema(table), statement)).levelZero();
  }

  @AfterEach
  void forget() {
    SQLConf.get().unsetConf(SESSION_LEVEL_ZERO);
    SQLConf.get().unsetConf("spark.obelus.scan.levle-0");
  }

  @Test
  void the_statement_beats_the_session_and_the_session_the_table() {
    Map<String, String> skip = Map.of("scan.level-0", "skip");
    assertThat(levelZero(Map.of(), Map.of())).isEqualTo(LevelZero.MERGE);
    assertThat(levelZero(skip, Map.of())).isEqualTo(LevelZero.SKIP);
    SQLConf.get().setConfString(SESSION_LEVEL_ZERO, "merge");
    assertThat(levelZero(skip, Map.of())).isEqualTo(LevelZero.MERGE);
    assertThat(levelZero(Map.of(), skip)).isEqualTo(LevelZero.SKIP);
  }

  @Test
  void an_unknown_name_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> levelZero(Map.of(), Map.of("scan.snapshot", "5")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("option 'scan.snapshot' cannot be set for a read; the options")
        .hasMessageContaining("scan.level-0");
    SQLConf.get().setConfString("spark.obelus.scan.levle-0", "skip");
    assertThatThrownBy(() -> levelZero(Map.of(), Map.of()))
        .hasMessageStartingWith("option 'spark.obelus.scan.levle-0' cannot be set for a session");
  }

  @Test
  void a_bad_value_is_refused_with_what_is_allowed() {
    assertThatThrownBy(() -> levelZero(Map.of(), Map.of("scan.level-0", "maybe")))
        .hasMessage("option 'scan.level-0' should be merge, skip or top-only but is 'maybe'");
    assertThatThrownBy(() -> levelZero(Map.of(), Map.of("read.batch-size", "0")))
        .hasMessage(
            "option 'read.batch-size' should be a whole number from 1 to 262144 but is '0'");
  }

  @Test
  void a_write_may_repeat_what_the_table_has_but_not_change_it() {
    TableSchema table = schema(Map.of("bucket", "4"));
    StatementOptions.ofWrite(table, Map.of("primary-key", " id", "bucket", "4", "path", "/t"));
    assertThatThrownBy(() -> StatementOptions.ofWrite(table, Map.of("bucket", "8")))
        .hasMessageStartingWith("option 'bucket' cannot be set for a write");
  }
}
