package io.obelus.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Test;

class StreamSparkTest {

  private static final SparkSession spark = Sessions.get();

  private final Path input = Sessions.fresh("stream-input");
  private final Path checkpoint = Sessions.fresh("stream-checkpoint");
  private int files;

  private String table(String name, String properties) {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.streams");
    spark.sql("CREATE TABLE obelus.streams." + name + " (id INT, v INT) " + properties);
    return "obelus.streams." + name;
  }

  private void give(String line) throws Exception {
    Files.writeString(input.resolve("f" + files++ + ".csv"), line);
  }

  private DataStreamWriter<Row> stream() {
    Dataset<Row> rows = spark.readStream().schema("id INT, v INT").csv(input.toString());
    return rows.writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", checkpoint.toString());
  }

  private static List<String> rows(String table) {
    return spark.sql("SELECT * FROM " + table).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  private void forgetCommit(int batch) throws Exception {
    Files.delete(checkpoint.resolve("commits/" + batch));
    Files.deleteIfExists(checkpoint.resolve("commits/." + batch + ".crc"));
  }

  @Test
  void a_batch_that_is_run_again_is_written_once() throws Exception {
    String t = table("append", "");
    give("1,10\n");
    stream().toTable(t).awaitTermination();
    give("2,20\n");
    stream().toTable(t).awaitTermination();
    forgetCommit(1);
    stream().toTable(t).awaitTermination();
    assertThat(rows(t)).containsExactly("[1,10]", "[2,20]");
    assertThatThrownBy(() -> rows(t + " VERSION AS OF 3")).isNotNull();
    give("3,30\n");
    stream().toTable(t).awaitTermination();
    assertThat(rows(t)).containsExactly("[1,10]", "[2,20]", "[3,30]");
  }

  @Test
  void a_batch_is_known_for_as_long_as_the_table_lives() throws Exception {
    String t =
        table(
            "expired",
            "TBLPROPERTIES ('deletion-vectors.enabled'='true', "
                + "'snapshot.num-retained.min'='1', 'snapshot.num-retained.max'='1')");
    give("1,10\n");
    stream().toTable(t).awaitTermination();
    give("2,20\n");
    stream().toTable(t).awaitTermination();
    Path other = Sessions.fresh("stream-checkpoint-other");
    stream().option("checkpointLocation", other.toString()).toTable(t).awaitTermination();
    spark.sql("INSERT INTO " + t + " VALUES (3, 30)");
    spark.sql("DELETE FROM " + t + " WHERE id = 1");
    assertThatThrownBy(() -> rows(t + " VERSION AS OF 2")).isNotNull();
    forgetCommit(1);
    stream().toTable(t).awaitTermination();
    assertThat(rows(t)).containsExactly("[2,20]", "[2,20]", "[3,30]");
    give("4,40\n");
    stream().toTable(t).awaitTermination();
    assertThat(rows(t)).containsExactly("[2,20]", "[2,20]", "[3,30]", "[4,40]");
  }

  @Test
  void a_stream_to_a_path_upserts_without_a_catalog() throws Exception {
    String t = table("by_path", "TBLPROPERTIES ('primary-key'='id', 'bucket'='4')");
    String path = Sessions.warehouse().resolve("streams.db/by_path").toString();
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < 200; id++) {
      lines.append(199 - id).append(",1\n");
    }
    give(lines.toString());
    stream().format("obelus").option("path", path).start().awaitTermination();
    give("7,2\n8,2\n");
    stream().format("obelus").option("path", path).start().awaitTermination();
    assertThat(spark.table(t).count()).isEqualTo(200);
    assertThat(rows(t + " WHERE v = 2")).containsExactly("[7,2]", "[8,2]");
  }
}
