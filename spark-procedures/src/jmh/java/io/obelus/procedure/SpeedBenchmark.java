package io.obelus.procedure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * What work on a table costs beside the same work on plain Parquet of the same rows, in the same
 * session: CPU time of the whole JVM, medians of warm runs, codec zstd on both sides.
 *
 * <p>One source file, run by {@code java} itself on the jars of a Spark and on the one jar that a
 * user adds ({@code make bench}). Sizes are system properties: {@code rows}, {@code rounds}, {@code
 * runs}. In the end the rows are compared with what plain Spark makes of the same batches.
 */
public final class SpeedBenchmark {

  private static final long ROWS = Long.getLong("rows", 2_000_000);
  private static final int ROUNDS = Integer.getInteger("rounds", 10);
  private static final int RUNS = Integer.getInteger("runs", 5);
  private static final int WARM_UPS = 4;
  private static final int BUCKETS = 2;

  private static final String COLUMNS =
      "id BIGINT NOT NULL, i1 INT, i2 INT, d DOUBLE, m DECIMAL(12,2), day DATE, ts TIMESTAMP,"
          + " t8 STRING, t1000 STRING, tu STRING, half INT, b BOOLEAN";

  /** Values of all columns from a key {@code id} and a number {@code round}. */
  private static final String VALUES =
      """
      id,
      CAST(pmod(xxhash64(id, round, 1), 1000000) AS INT) AS i1,
      CAST(pmod(xxhash64(id, round, 2), 10000) AS INT) AS i2,
      pmod(xxhash64(id, round, 3), 1000000007) / 1000.0D AS d,
      CAST(pmod(xxhash64(id, round, 4), 1000000000) / 100 AS DECIMAL(12,2)) AS m,
      date_add(DATE '2020-01-01', CAST(pmod(xxhash64(id, round, 5), 1500) AS INT)) AS day,
      timestamp_micros(1577836800000000 + pmod(xxhash64(id, round, 6), 100000000000000)) AS ts,
      concat('kind-', pmod(xxhash64(id, round, 7), 8)) AS t8,
      concat('customer-', pmod(xxhash64(id, round, 8), 1000)) AS t1000,
      concat('order-', hex(xxhash64(id, round, 9))) AS tu,
      IF(pmod(xxhash64(id, round, 10), 2) = 0, NULL, CAST(pmod(xxhash64(id, round, 11), 5000) AS INT)) AS half,
      pmod(xxhash64(id, round, 12), 3) = 0 AS b
      """;

  private static final String INDEXES =
      ", 'file-index.bitmap.columns' = 't8', 'file-index.bsi.columns' = 'i1',"
          + " 'file-index.bloom-filter.columns' = 'tu', 'file-index.bloom-filter.tu.fpp' = '0.01'";

  private static final String SUM = "SELECT sum(i1), sum(i2), sum(d), sum(half) FROM %s";
  private static final String SHARE = "pmod(id, 83) = %d"; // 1.2 % of the rows
  private static final String HASH = "SELECT bit_xor(xxhash64(*)), count(*) FROM %s";

  private final Path root;
  private final SparkSession spark;
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private SpeedBenchmark(Path root) {
    this.root = root;
    this.spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.parquet.compression.codec", "zstd")
            .config("spark.local.dir", root.resolve("spark").toString())
            .config("spark.sql.warehouse.dir", root.resolve("spark-warehouse").toString())
            .config("spark.sql.extensions", "io.obelus.procedure.ObelusExtensions")
            .config("spark.sql.catalog.obelus", "io.obelus.spark.ObelusCatalog")
            .config("spark.sql.catalog.obelus.warehouse", root.resolve("lake").toString())
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
  }

  /** CPU time, bytes written and highest use of the heap of one piece of work. */
  private record Cost(double seconds, long bytes, long peak) {

    static Cost median(List<Cost> costs) {
      return new Cost(
          middle(costs.stream().map(Cost::seconds).toList()),
          middle(costs.stream().map(Cost::bytes).toList()),
          middle(costs.stream().map(Cost::peak).toList()));
    }

    private static <T extends Comparable<T>> T middle(List<T> values) {
      return values.stream().sorted().toList().get(values.size() / 2);
    }
  }

  private interface Work {
    void run(int run);
  }

  /** Runs once, with an empty heap before it, measuring what appears below {@code directory}. */
  private Cost cost(Path directory, int run, Work work) {
    long bytes = bytes(directory);
    System.gc();
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    long before = system.getProcessCpuTime();
    work.run(run);
    double seconds = (system.getProcessCpuTime() - before) / 1e9;
    long peak = heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    return new Cost(seconds, bytes(directory) - bytes, peak);
  }

  /** Median of {@link #RUNS} runs after some that are not counted. */
  private Cost warm(Work work) {
    List<Cost> costs = new ArrayList<>();
    for (int run = -WARM_UPS; run < RUNS; run++) {
      Cost cost = cost(root.resolve("none"), run, work);
      if (run >= 0) {
        costs.add(cost);
      }
    }
    return Cost.median(costs);
  }

  private static long bytes(Path directory) {
    if (!Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path table(String name) {
    return root.resolve("lake/bench.db").resolve(name);
  }

  private Dataset<Row> parquet(String name) {
    return spark.read().parquet(root.resolve(name).toString());
  }

  private String named(String directory) {
    parquet(directory).createOrReplaceTempView(directory);
    return directory;
  }

  private void sql(String statement) {
    spark.sql(statement).collectAsList();
  }

  /** Keys in an order that is not theirs, in two files; round 0 has all, others 1.2 % of them. */
  private void makeBatches() {
    long fresh = ROWS / 500;
    for (int round = 0; round <= ROUNDS + 2; round++) {
      String keys =
          round == 0
              ? "SELECT pmod(id * 1000003, %d) AS id FROM range(0, %d, 1, 2)".formatted(ROWS, ROWS)
              : ("SELECT id FROM (SELECT DISTINCT pmod(xxhash64(id, %d), %d) AS id FROM range(%d))"
                      + " UNION ALL SELECT id FROM range(%d, %d)")
                  .formatted(
                      round, ROWS, ROWS / 100, ROWS + (round - 1) * fresh, ROWS + round * fresh);
      spark
          .sql("SELECT %s FROM (%s), (SELECT %d AS round)".formatted(VALUES, keys, round))
          .coalesce(2)
          .write()
          .parquet(root.resolve("batch" + round).toString());
      named("batch" + round);
    }
  }

  private void createTable(String name) {
    createTable(name, "");
  }

  /**
   * @param indexes further properties, with a comma before each
   */
  private void createTable(String name, String indexes) {
    sql("DROP TABLE IF EXISTS obelus.bench." + name);
    sql(
        "CREATE TABLE obelus.bench.%s (%s) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '%d'%s)"
            .formatted(name, COLUMNS, BUCKETS, indexes));
  }

  private void upsert(String name, int round) {
    sql("INSERT INTO obelus.bench.%s SELECT * FROM batch%d".formatted(name, round));
  }

  private void writePlain(String from, String to) {
    delete(root.resolve(to));
    parquet(from).write().parquet(root.resolve(to).toString());
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MiB", bytes / 1048576.0);
  }

  private static void line(String work, Cost plain, Cost ours, double most) {
    double ratio = ours.seconds() / plain.seconds();
    System.out.printf(
        Locale.ROOT,
        "| %-38s | %8.2f | %8.2f | %6.2f | %6.2f | %s%n",
        work,
        plain.seconds(),
        ours.seconds(),
        ratio,
        most,
        ratio <= most ? "" : "over");
  }

  private void query(String work, String select, double most) {
    query(work, select, "t", "plain", most);
  }

  private void query(String work, String select, String table, String view, double most) {
    List<Cost> ours = new ArrayList<>();
    List<Cost> plain = new ArrayList<>();
    // By turns: what Spark's own code gains by being warm, both gain.
    for (int run = -WARM_UPS; run < RUNS; run++) {
      Cost our = cost(table(table), run, r -> sql(select.formatted("obelus.bench." + table)));
      Cost their = cost(root.resolve("none"), run, r -> sql(select.formatted(view)));
      if (run >= 0) {
        ours.add(our);
        plain.add(their);
      }
    }
    line(work, Cost.median(plain), Cost.median(ours), most);
    System.out.println("|   " + readBy(select.formatted("obelus.bench." + table)));
  }

  /** Pages and bytes that a query reads, as its scan counts them. */
  private String readBy(String select) {
    spark.conf().set("spark.sql.adaptive.enabled", "false"); // a plan that shows its scans
    Dataset<Row> query = spark.sql(select);
    query.collectAsList();
    spark.conf().unset("spark.sql.adaptive.enabled");
    var metrics = query.queryExecution().executedPlan().collectLeaves().head().metrics();
    ToLongFunction<String> metric =
        name -> metrics.contains(name) ? metrics.apply(name).value() : 0;
    return "pages read %,d, skipped %,d; read of data files %s, of index files %s"
        .formatted(
            metric.applyAsLong("obelusPagesRead"),
            metric.applyAsLong("obelusPagesSkipped"),
            mib(metric.applyAsLong("obelusDataBytesRead")),
            mib(metric.applyAsLong("obelusIndexBytesRead")));
  }

  /**
   * Changes rows of the table by a statement, some times, after some on a table of the same rows
   * that are not counted: the rounds that they are compared with are warm too.
   *
   * @param rows which, with a place for the number of the run
   * @param what is done, with a place for the table
   */
  private void change(String work, Cost round, String rows, String what) {
    for (int run = 0; run < WARM_UPS; run++) {
      sql(what.formatted("obelus.bench.warm") + rows.formatted(run % ROUNDS + 1));
    }
    List<Cost> changes = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      String statement = what.formatted("obelus.bench.t") + rows.formatted(run % ROUNDS + 1);
      changes.add(cost(table("t"), run, r -> sql(statement)));
    }
    line(work, round, Cost.median(changes), 1.5);
  }

  private void checkSame(String work, String select, String table, String view) {
    List<String> found = rows(select.formatted(table));
    List<String> expected = rows(select.formatted(view));
    if (!found.equals(expected)) {
      throw new IllegalStateException(
          "%s: should be %s but is %s".formatted(work, expected, found));
    }
  }

  private List<String> rows(String select) {
    return spark.sql(select).collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private void run() {
    sql("CREATE DATABASE IF NOT EXISTS obelus.bench");
    makeBatches();
    System.out.printf(
        "%,d rows of 12 columns, %d buckets, %d rounds, %d runs, %s heap at most%n%n",
        ROWS, BUCKETS, ROUNDS, RUNS, mib(Runtime.getRuntime().maxMemory()));
    System.out.println(
        "| work, CPU seconds                      |    plain |   Obelus |  ratio | target |");
    System.out.println(
        "|----------------------------------------|----------|----------|--------|--------|");

    Cost plainLoad = warm(run -> writePlain("batch0", "rewritten"));
    List<Cost> loads = new ArrayList<>();
    for (int run = -1; run < Math.min(3, RUNS); run++) {
      createTable("t");
      Cost load = cost(table("t"), run, r -> upsert("t", 0));
      if (run >= 0) {
        loads.add(load);
      }
    }
    Cost load = Cost.median(loads);
    line("bulk load", plainLoad, load, 1.3);

    List<Cost> appends = new ArrayList<>();
    List<Cost> rounds = new ArrayList<>();
    createTable("warm");
    for (int round = 0; round <= ROUNDS + 2; round++) {
      int batch = round;
      boolean counts = round > 0 && round <= ROUNDS;
      if (!counts) {
        upsert("warm", batch);
        continue;
      }
      rounds.add(cost(table("t"), round, r -> upsert("t", batch)));
    }
    for (int round = -1; round <= ROUNDS; round++) {
      String batch = "batch" + Math.max(1, round);
      Cost append =
          cost(
              root.resolve("appended"),
              round,
              r -> parquet(batch).write().mode("append").parquet(root + "/appended"));
      if (round > 0) {
        appends.add(append);
      }
    }
    Cost append = Cost.median(appends);
    Cost round = Cost.median(rounds);
    line("one upsert round of 1.2 %", append, round, 2.5);

    spark.table("obelus.bench.t").write().parquet(root.resolve("plain").toString());
    named("plain");
    query("scan, sum over 4 columns", SUM, 1.1);
    query("scan, hash of all columns", HASH, 1.1);
    query("one key", "SELECT * FROM %s WHERE id = " + ROWS / 3, 0.3);
    String thousand =
        IntStream.range(0, 1000)
            .mapToObj(i -> String.valueOf((i * 7_919_777L) % ROWS))
            .collect(Collectors.joining(",", "(", ")"));
    query("1000 keys", HASH + " WHERE id IN " + thousand, 0.4);
    query("COUNT(*)", "SELECT count(*) FROM %s", 0.5);

    String expected = expectedRows();
    checkRows(expected);

    change("UPDATE of 1.2 % to a round", round, SHARE, "UPDATE %s SET i2 = i2 + 1 WHERE ");
    change("DELETE of 1.2 % to a round", round, SHARE, "DELETE FROM %s WHERE ");
    change(
        "MERGE of 1.2 % to a round",
        round,
        " USING batch%d s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "MERGE INTO %s t");
    List<Cost> deletes = new ArrayList<>();
    for (int run = -WARM_UPS; run < 3; run++) {
      String table = run < 0 ? "warm" : "t";
      String statement =
          "DELETE FROM obelus.bench.%s WHERE i2 %% 20 = %d".formatted(table, Math.abs(3 + 4 * run));
      Cost delete = cost(table(table), run, r -> sql(statement));
      if (run >= 0) {
        deletes.add(delete);
      }
    }
    Cost delete = Cost.median(deletes);
    spark.table("obelus.bench.t").write().parquet(root.resolve("remaining").toString());
    List<Cost> compactions = new ArrayList<>();
    List<Cost> rewrites = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      String name = "copy" + run;
      copy(table("t"), table(name));
      compactions.add(
          cost(
              table(name),
              run,
              r -> sql("CALL obelus.sys.compact(table => 'bench.%s')".formatted(name))));
      rewrites.add(cost(root.resolve("rewritten"), run, r -> writePlain("remaining", "rewritten")));
    }
    Cost compaction = Cost.median(compactions);
    line("full compaction", Cost.median(rewrites), compaction, 1.0);
    Cost indexed = runIndexed();

    System.out.printf(
        Locale.ROOT,
        "%nDELETE of 5 %%: %.2f CPU seconds (target 1.2), %s written%n",
        delete.seconds(),
        mib(delete.bytes()));
    System.out.printf(
        Locale.ROOT,
        "bytes written by a round: %s, %.2f of the batch as Parquet (target 1.3)%n",
        mib(round.bytes()),
        (double) round.bytes() / append.bytes());
    System.out.printf(
        Locale.ROOT,
        "building a bitmap, a bit-sliced and a bloom index: %.2f times the load, %s more,"
            + " peak heap %s%n",
        indexed.seconds() / load.seconds(),
        mib(indexed.bytes() - load.bytes()),
        mib(indexed.peak()));
    System.out.printf(
        "peak heap: load %s (plain %s), round %s (plain %s), full compaction %s%n",
        mib(load.peak()),
        mib(plainLoad.peak()),
        mib(round.peak()),
        mib(append.peak()),
        mib(compaction.peak()));
    System.out.println(
        "CPU seconds of each round: "
            + rounds.stream()
                .map(cost -> String.format(Locale.ROOT, "%.2f", cost.seconds()))
                .collect(Collectors.joining(" ")));
  }

  /** Queries on a table with indexes, after rounds and a delete; answers what its load cost. */
  private Cost runIndexed() {
    List<Cost> loads = new ArrayList<>();
    for (int run = -1; run < Math.min(3, RUNS); run++) {
      createTable("indexed", INDEXES);
      Cost load = cost(table("indexed"), run, r -> upsert("indexed", 0));
      if (run >= 0) {
        loads.add(load);
      }
    }
    for (int round = 1; round <= ROUNDS; round++) {
      upsert("indexed", round);
    }
    sql("DELETE FROM obelus.bench.indexed WHERE i2 % 20 = 3");
    spark.table("obelus.bench.indexed").write().parquet(root.resolve("live").toString());
    named("live");
    String equal = "SELECT sum(i1) FROM %s WHERE t8 = 'kind-3'";
    indexed("equality on an 8-valued column", equal, 0.5);
    indexed("3 of 8 values", "SELECT sum(i1) FROM %s WHERE t8 IN ('kind-1','kind-4','kind-7')", 1);
    indexed("7 of 8 values", "SELECT sum(i1) FROM %s WHERE t8 <> 'kind-4'", 1.1);
    indexed("1 % range on a number", HASH + " WHERE i1 BETWEEN 300000 AND 309999", 0.6);
    indexed("12 % range on a number", HASH + " WHERE i1 BETWEEN 300000 AND 419999", 1.1);
    indexed("50 % range on a number", HASH + " WHERE i1 >= 500000", 1.1);
    List<String> texts =
        spark
            .sql("SELECT tu FROM live WHERE i1 BETWEEN 500000 AND 501000 LIMIT 100")
            .collectAsList()
            .stream()
            .map(row -> "'" + row.getString(0) + "'")
            .toList();
    indexed("one value of a unique text", "SELECT * FROM %s WHERE tu = " + texts.get(0), 0.2);
    indexed(
        "100 values of a unique text",
        "SELECT * FROM %s WHERE tu IN (" + String.join(",", texts) + ")",
        0.4);
    indexed("no value of a unique text", "SELECT * FROM %s WHERE tu = 'order-FF'", 0.2);
    indexed("COUNT(*) of a value", "SELECT count(*) FROM %s WHERE t8 = 'kind-3'", 0.5);
    indexed("COUNT(*) by value", "SELECT t8, count(*) FROM %s GROUP BY t8", 0.5);
    indexed("MIN and MAX", "SELECT min(i1), max(i1) FROM %s", 0.5);
    return Cost.median(loads);
  }

  private void indexed(String work, String select, double most) {
    checkSame(work, select, "obelus.bench.indexed", "live");
    query(work, select, "indexed", "live", most);
  }

  /** Count and hash of the live rows, by plain Spark from the batches. */
  private String expectedRows() {
    String all =
        IntStream.rangeClosed(0, ROUNDS)
            .mapToObj(round -> "SELECT *, " + round + " AS round FROM batch" + round)
            .collect(Collectors.joining(" UNION ALL "));
    spark
        .sql(
            ("SELECT row.* FROM (SELECT max_by(struct(*), round) AS row FROM (%s) GROUP BY id)")
                .formatted(all))
        .drop("round")
        .createOrReplaceTempView("expected");
    return spark.sql(HASH.formatted("expected")).head().toString();
  }

  private void checkRows(String expected) {
    String found = spark.sql(HASH.formatted("obelus.bench.t")).head().toString();
    if (!found.equals(expected)) {
      throw new IllegalStateException(
          "the table's hash and count should be %s but are %s".formatted(expected, found));
    }
  }

  /** Runs all and prints. */
  public static void main(String[] args) throws IOException {
    Path root = Files.createTempDirectory("obelus-bench");
    try {
      Files.createDirectory(root.resolve("lake"));
      SpeedBenchmark benchmark = new SpeedBenchmark(root);
      benchmark.run();
      benchmark.spark.stop();
    } finally {
      delete(root);
    }
  }
}
