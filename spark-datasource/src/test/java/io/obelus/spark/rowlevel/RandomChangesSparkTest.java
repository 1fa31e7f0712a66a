package io.obelus.spark.rowlevel;

import io.obelus.testing.CoreTable;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.Sessions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/**
 * Random statements on random tables without a key, against the same done to a list. Files have
 * indexes and many pages, so that a position is looked at behind all that is skipped.
 */
class RandomChangesSparkTest {

  private static final SparkSession spark = Sessions.get();
  private static final StructType SCHEMA =
      StructType.fromDDL("id INT, a INT, b INT, s STRING, p INT");
  private static int tables;

  /** A condition as SQL and as Java: true, not merely unknown. */
  private record Condition(String sql, Predicate<List<Object>> holds) {
    Condition and(Condition other) {
      return new Condition(sql + " AND " + other.sql, holds.and(other.holds));
    }
  }

  @Test
  void a_table_agrees_with_a_list() {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.changes");
    Seeds.each(2, RandomChangesSparkTest::history);
  }

  private static void history(Random random) throws Exception {
    String t = "obelus.changes.t" + tables++;
    List<String> options = new ArrayList<>(List.of("'deletion-vectors.enabled'='true'"));
    for (String index :
        List.of("bitmap.columns'='a,p", "bsi.columns'='b", "bloom-filter.columns'='s")) {
      if (random.nextBoolean()) {
        options.add("'file-index." + index + "'");
      }
    }
    if (random.nextInt(3) == 0) {
      options.add("'bucket'='2','bucket-key'='a'");
    }
    boolean partitioned = random.nextInt(3) == 0;
    spark.sql(
        "CREATE TABLE %s (%s) %s TBLPROPERTIES (%s)"
            .formatted(
                t,
                SCHEMA.toDDL(),
                partitioned ? "PARTITIONED BY (p)" : "",
                String.join(",", options)));
    List<List<Object>> model = new ArrayList<>();
    StringBuilder story = new StringBuilder(t + " " + partitioned + options);
    for (int step = 0; step < 8; step++) {
      story.append("\n").append(step(random, t, model, step));
      List<List<Object>> found =
          spark.table(t).collectAsList().stream().map(row -> values(row)).toList();
      SameRows.check(story.toString(), found, model);
    }
  }

  private static String step(Random random, String t, List<List<Object>> model, int step)
      throws Exception {
    int what = step == 0 ? 0 : random.nextInt(8);
    if (what == 0) {
      return insert(random, t, model);
    } else if (what == 1) {
      return compact(random, t);
    }
    Condition condition = condition(random);
    if (random.nextBoolean()) {
      condition = condition.and(condition(random));
    }
    Predicate<List<Object>> holds = condition.holds;
    String sql;
    if (what < 5) {
      sql = "DELETE FROM %s WHERE %s".formatted(t, condition.sql);
      model.removeIf(holds);
    } else if (what < 7) {
      sql = "UPDATE %s SET a = 9, b = b + 1000 WHERE %s".formatted(t, condition.sql);
      model.replaceAll(row -> holds.test(row) ? changed(row) : row);
    } else {
      int from = random.nextInt(500);
      sql =
          "MERGE INTO %s t USING (SELECT CAST(id AS INT) AS k FROM range(%d, %d)) n ON t.id = n.k AND %s WHEN MATCHED AND t.id %% 2 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET a = 9, b = b + 1000"
              .formatted(t, from, from + 300, condition.sql);
      Predicate<List<Object>> met =
          row -> (int) row.get(0) >= from && (int) row.get(0) < from + 300 && holds.test(row);
      model.removeIf(row -> met.test(row) && (int) row.get(0) % 2 == 0);
      model.replaceAll(row -> met.test(row) ? changed(row) : row);
    }
    spark.sql(sql);
    return sql;
  }

  private static String insert(Random random, String t, List<List<Object>> model) {
    int count = 1 + random.nextInt(random.nextBoolean() ? 30 : 20_000);
    boolean sorted = random.nextBoolean();
    List<Row> rows =
        IntStream.range(0, count)
            .mapToObj(
                i -> {
                  int place = sorted ? i : random.nextInt(count);
                  return RowFactory.create(
                      random.nextInt(1000),
                      random.nextInt(10) == 0 ? null : place * 8 / count,
                      random.nextInt(10) == 0 ? null : place,
                      random.nextInt(10) == 0 ? null : "s" + place % 300,
                      random.nextInt(2));
                })
            .toList();
    rows.forEach(row -> model.add(values(row)));
    spark
        .createDataFrame(rows, SCHEMA)
        .coalesce(1 + random.nextInt(2))
        .createOrReplaceTempView("added");
    spark.sql("INSERT INTO " + t + " SELECT * FROM added");
    spark.catalog().dropTempView("added");
    return count + " rows";
  }

  private static String compact(Random random, String t) throws Exception {
    String name = t.substring(t.lastIndexOf('.') + 1);
    CoreTable table = CoreTable.open(Sessions.warehouse().resolve("changes.db").resolve(name));
    int way = random.nextInt(3);
    if (way == 0) {
      table.purge(0.3);
    } else {
      table.compact(way == 1);
    }
    return List.of("purge", "full", "minor").get(way);
  }

  private static List<Object> values(Row row) {
    return Arrays.asList(IntStream.range(0, row.size()).mapToObj(row::get).toArray());
  }

  private static List<Object> changed(List<Object> row) {
    List<Object> changed = new ArrayList<>(row);
    changed.set(1, 9);
    changed.set(2, row.get(2) == null ? null : (int) row.get(2) + 1000);
    return changed;
  }

  private static Condition condition(Random random) {
    int x = random.nextInt(8);
    int from = random.nextInt(20_000);
    int to = from + random.nextInt(3000);
    return switch (random.nextInt(9)) {
      case 0 -> new Condition("a = " + x, row -> Objects.equals(row.get(1), x));
      case 1 -> new Condition("a <> " + x, row -> row.get(1) != null && !row.get(1).equals(x));
      case 2 -> new Condition("a IS NULL", row -> row.get(1) == null);
      case 3 ->
          new Condition(
              "b BETWEEN %d AND %d".formatted(from, to),
              row -> row.get(2) != null && (int) row.get(2) >= from && (int) row.get(2) <= to);
      case 4 -> new Condition("s = 's" + x + "'", row -> Objects.equals(row.get(3), "s" + x));
      case 5 ->
          new Condition(
              "a IN (%d, 3)".formatted(x),
              row -> Objects.equals(row.get(1), x) || Objects.equals(row.get(1), 3));
      case 6 -> new Condition("id % 9 = " + x, row -> (int) row.get(0) % 9 == x);
      case 7 -> new Condition("id < " + 40 * x, row -> (int) row.get(0) < 40 * x);
      default -> new Condition("p = " + x % 2, row -> row.get(4).equals(x % 2));
    };
  }
}
