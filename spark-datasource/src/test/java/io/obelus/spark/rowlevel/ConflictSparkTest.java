package io.obelus.spark.rowlevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class ConflictSparkTest {

  private static final SparkSession spark = Sessions.get();

  /** Run once, by the first row that a statement looks at. */
  private static final AtomicReference<Runnable> meanwhile = new AtomicReference<>();

  private static List<String> rows(String table) {
    return spark.sql("SELECT * FROM " + table).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  @Test
  void a_statement_does_not_undo_what_was_committed_after_it_had_read() {
    check("obelus.conflict.keyed", "'primary-key'='id', 'bucket'='1'");
  }

  @Test
  void a_statement_without_a_key_does_not_undo_what_was_committed_after_it_had_read() {
    check("obelus.conflict.plain", "'deletion-vectors.enabled'='true'");
  }

  private static void check(String t, String properties) {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.conflict");
    spark.sql(
        "CREATE TABLE %s (id INT NOT NULL, s STRING) TBLPROPERTIES (%s)".formatted(t, properties));
    spark.sql("INSERT INTO " + t + " VALUES (1,'pending'),(2,'pending')");
    spark
        .udf()
        .register(
            "meanwhile",
            (UDF1<String, String>)
                s -> {
                  Runnable once = meanwhile.getAndSet(null);
                  if (once != null) {
                    Thread other = new Thread(once);
                    other.start();
                    other.join();
                  }
                  return s;
                },
            DataTypes.StringType);
    for (String statement :
        List.of(
            "UPDATE %s SET s = 'done' WHERE meanwhile(s) = 'pending'",
            "DELETE FROM %s WHERE meanwhile(s) = 'pending'",
            "MERGE INTO %s t USING (SELECT 1 AS id, 'done' AS s) n ON t.id = n.id"
                + " AND meanwhile(t.s) = 'pending'"
                + " WHEN MATCHED THEN UPDATE SET s = n.s WHEN NOT MATCHED THEN INSERT *")) {
      spark.sql("INSERT OVERWRITE " + t + " VALUES (1,'pending'),(2,'pending')");
      meanwhile.set(() -> spark.sql("UPDATE " + t + " SET s = 'cancelled' WHERE id = 1"));
      assertThatThrownBy(() -> spark.sql(statement.formatted(t)))
          .as(statement)
          .hasStackTraceContaining("CommitConflictException");
      assertThat(rows(t)).as(statement).containsExactly("[1,cancelled]", "[2,pending]");
    }
  }
}
