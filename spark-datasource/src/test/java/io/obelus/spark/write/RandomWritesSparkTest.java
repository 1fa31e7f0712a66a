package io.obelus.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.testing.PaimonTables;
import io.obelus.testing.Seeds;
import io.obelus.testing.Sessions;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Random histories of statements, checked against a map after each. */
class RandomWritesSparkTest {

  private static final SparkSession spark = Sessions.get();
  private static int tables;

  private record Key(int pt, String id) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return pt != other.pt ? Integer.compare(pt, other.pt) : id.compareTo(other.id);
    }
  }

  /** As many columns beside key and partition as a row's layout may have trouble with. */
  private static final int[] WIDTHS = {1, 61, 62, 63};

  @Test
  void a_table_agrees_with_a_map() {
    spark.sql("CREATE DATABASE IF NOT EXISTS obelus.random");
    Seeds.each(2, RandomWritesSparkTest::history);
  }

  private static void history(Random random) throws IOException {
    boolean partitioned = random.nextBoolean();
    int width = WIDTHS[random.nextInt(WIDTHS.length)];
    int buckets = 1 + random.nextInt(4);
    boolean bitmaps = random.nextInt(4) > 0;
    String t = "obelus.random.t" + tables++;
    String columns =
        IntStream.range(0, width).mapToObj(i -> "v" + i + " INT").collect(Collectors.joining(","));
    spark.sql(
        "CREATE TABLE %s (id STRING NOT NULL, %s, pt INT NOT NULL) %s TBLPROPERTIES ('primary-key'='%s','bucket'='%d','deletion-vectors.enabled'='%b')"
            .formatted(
                t,
                columns,
                partitioned ? "PARTITIONED BY (pt)" : "",
                partitioned ? "id,pt" : "pt,id",
                buckets,
                bitmaps));
    StructType schema = spark.table(t).schema();
    Map<Key, Integer> model = new TreeMap<>();
    for (int step = 0; step < 6; step++) {
      int limit = random.nextInt(60);
      String what;
      switch (random.nextInt(5)) {
        case 0 -> {
          what = "delete";
          spark.sql("DELETE FROM " + t + " WHERE v0 % 60 < " + limit);
          model.values().removeIf(v -> v % 60 < limit);
        }
        case 1 -> {
          what = "update";
          spark.sql("UPDATE " + t + " SET v0 = v0 + 7 WHERE v0 % 60 < " + limit);
          model.replaceAll((k, v) -> v % 60 < limit ? v + 7 : v);
        }
        case 2 -> {
          what = "merge";
          Map<Key, Integer> source = some(random, step);
          spark.createDataFrame(rows(source, width), schema).createOrReplaceTempView("source");
          spark.sql(
              "MERGE INTO "
                  + t
                  + " t USING source s ON t.id = s.id AND t.pt = s.pt"
                  + " WHEN MATCHED AND t.v0 % 2 = 0 THEN DELETE"
                  + " WHEN MATCHED THEN UPDATE SET v0 = s.v0"
                  + " WHEN NOT MATCHED THEN INSERT *");
          source.forEach(
              (k, v) -> model.compute(k, (key, old) -> old != null && old % 2 == 0 ? null : v));
        }
        default -> {
          what = "insert";
          Map<Key, Integer> source = some(random, step);
          spark
              .createDataFrame(rows(source, width), schema)
              .repartition(1 + random.nextInt(3))
              .createOrReplaceTempView("source");
          spark.sql("INSERT INTO " + t + " SELECT * FROM source");
          model.putAll(source);
        }
      }
      assertThat(read(t, width)).as("%s after step %d, %s", t, step, what).isEqualTo(model);
      Path directory = Sessions.warehouse().resolve("random.db/" + t.substring(14));
      assertThat(readByPaimon(directory, width)).as("%s after step %d", t, step).isEqualTo(model);
      WholeTables.check(directory, t);
    }
    spark.catalog().dropTempView("source");
  }

  private static Map<Key, Integer> some(Random random, int step) {
    Map<Key, Integer> some = new TreeMap<>();
    for (int i = random.nextInt(200); i > 0; i--) {
      some.put(
          new Key(random.nextInt(3), "k" + random.nextInt(100)), step * 1000 + random.nextInt(500));
    }
    return some;
  }

  private static List<Row> rows(Map<Key, Integer> source, int width) {
    List<Row> rows = new ArrayList<>();
    source.forEach(
        (k, v) -> {
          Object[] values = new Object[width + 2];
          values[0] = k.id();
          for (int i = 0; i < width; i++) {
            values[1 + i] = i == 0 ? v : k.pt() + i;
          }
          values[width + 1] = k.pt();
          rows.add(RowFactory.create(values));
        });
    return rows;
  }

  private static Map<Key, Integer> readByPaimon(Path directory, int width) throws IOException {
    Map<Key, Integer> found = new TreeMap<>();
    for (List<Object> row : new PaimonTables(directory).open(directory).rows()) {
      found.put(new Key((int) row.get(width + 1), (String) row.get(0)), (int) row.get(1));
    }
    return found;
  }

  private static Map<Key, Integer> read(String t, int width) {
    Map<Key, Integer> found = new TreeMap<>();
    for (Row row : spark.table(t).collectAsList()) {
      Key key = new Key(row.getInt(width + 1), row.getString(0));
      assertThat(found.put(key, row.getInt(1))).as("%s twice", key).isNull();
      for (int i = 1; i < width; i++) {
        assertThat(row.getInt(1 + i)).isEqualTo(key.pt() + i);
      }
    }
    return found;
  }
}
