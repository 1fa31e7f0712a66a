package io.obelus.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.obelus.core.catalog.FileSystemCatalog;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.row.Column;
import io.obelus.core.row.ColumnType;
import io.obelus.core.row.Predicate;
import io.obelus.core.row.Predicates;
import io.obelus.core.row.RowType;
import io.obelus.core.row.Truth;
import io.obelus.core.table.scan.ScanPlan.LevelZero;
import io.obelus.core.table.schema.ColumnChanges;
import io.obelus.testing.CoreTable;
import io.obelus.testing.PaimonTable;
import io.obelus.testing.PaimonTable.Row;
import io.obelus.testing.PaimonTables;
import io.obelus.testing.PlainValues;
import io.obelus.testing.RandomIndexes;
import io.obelus.testing.RandomPredicates;
import io.obelus.testing.RandomRows;
import io.obelus.testing.SameRows;
import io.obelus.testing.Seeds;
import io.obelus.testing.TableModel;
import io.obelus.testing.WholeTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * We and Paimon write one table in turns, each on top of what the other left; both read it after
 * each step, and find what a sorted map holds to which the same was done.
 */
class InteropTest {

  /** Histories of each kind of table; {@code make soak} sets more. */
  private static final int HISTORIES = Integer.getInteger("histories", 2);

  @TempDir Path directory;

  @Test
  void struck_out_by_32_bit_bitmaps() {
    histories(Map.of("deletion-vectors.enabled", "true"), false);
  }

  @Test
  void struck_out_by_64_bit_bitmaps() {
    histories(
        Map.of("deletion-vectors.enabled", "true", "deletion-vectors.bitmap64", "true"), false);
  }

  @Test
  void struck_out_where_an_older_sequence_loses() {
    histories(Map.of("deletion-vectors.enabled", "true"), true);
  }

  @Test
  void merged_on_read() {
    histories(Map.of("deletion-vectors.enabled", "false"), false);
  }

  @Test
  void merged_on_read_where_an_older_sequence_loses() {
    histories(Map.of("deletion-vectors.enabled", "false"), true);
  }

  @Test
  void struck_out_by_a_delete_map_which_only_we_know() {
    histories(Map.of("delete-map.enabled", "true"), false);
  }

  @Test
  void merged_on_read_first_and_struck_out_later() {
    histories(
        Map.of("deletion-vectors.enabled", "false"),
        false,
        history -> {
          history.run(3);
          history.switchBitmapsOn();
          history.run(3);
        });
  }

  private void histories(Map<String, String> options, boolean bySequence) {
    histories(options, bySequence, history -> history.run(4));
  }

  @FunctionalInterface
  private interface Course {
    void of(History history) throws Exception;
  }

  private void histories(Map<String, String> options, boolean bySequence, Course course) {
    Seeds.each(
        HISTORIES,
        random -> {
          Path place = Files.createTempDirectory(directory, "history");
          History history = History.begin(random, place, options, bySequence);
          try {
            course.of(history);
            WholeTables.check(history.ours.table(), history.story);
          } catch (Exception | AssertionError e) {
            throw new AssertionError(history.story + "\n" + e.getMessage(), e);
          }
          deleteAll(place);
        });
  }

  private static void deleteAll(Path place) throws IOException {
    try (Stream<Path> paths = Files.walk(place)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** A random table, and what is done to it. */
  private static final class History {

    private enum Who {
      WE,
      PAIMON
    }

    private final Random random;
    private final StringBuilder story = new StringBuilder();
    private CoreTable ours;

    /** Null if Paimon cannot use the table. */
    private PaimonTable theirs;

    private TableModel model;
    private List<ColumnType> types;
    private List<Integer> sequence;
    private boolean struckOut;
    private boolean descending;

    /** Values of key columns, partition columns among them: few enough to meet again. */
    private final List<List<Object>> keys = new ArrayList<>();

    /** Names of columns that are gone: others may take them. */
    private final List<String> dropped = new ArrayList<>();

    /** What the table held at each snapshot. */
    private final TreeMap<Long, List<List<Object>>> past = new TreeMap<>();

    /** Paimon reads older snapshots by the options of now, and would leave out their level 0. */
    private long firstWithOptionsOfNow;

    private History(Random random) {
      this.random = random;
    }

    static History begin(Random random, Path place, Map<String, String> given, boolean bySequence)
        throws Exception {
      RandomTable table = RandomTable.draw(random, given, bySequence);
      History history = new History(random);
      history.story.append(table);
      history.create(place, table);
      return history;
    }

    private void create(Path place, RandomTable table) throws Exception {
      PaimonTables tables = new PaimonTables(place);
      Path at = place.resolve("warehouse/db.db/t");
      boolean alone = table.options().containsKey("delete-map.enabled");
      if (!alone && random.nextBoolean()) {
        theirs =
            tables.create(
                "t", table.columns(), table.partition(), table.primaryKey(), table.options());
        ours = CoreTable.open(at);
      } else {
        ours =
            CoreTable.create(
                at, table.columns(), table.partition(), table.primaryKey(), table.options());
        theirs = alone ? null : tables.open(at);
      }
      model = TableModel.of(ours);
      lookAtColumns();
      descending = ours.table().options().sequenceDescending();
      struckOut = ours.table().options().deletionCoding().isPresent();
      drawKeys(table.partition(), table.primaryKey());
    }

    private void lookAtColumns() {
      RowType row = ours.table().schema().rowType();
      types = row.columns().stream().map(Column::type).toList();
      sequence = ours.table().options().sequenceFields().stream().map(row::indexOf).toList();
    }

    private void drawKeys(List<String> partition, List<String> primaryKey) {
      var row = ours.table().schema().rowType();
      Map<String, List<Object>> partitionValues = new HashMap<>();
      for (String column : partition) {
        ColumnType type = row.column(row.indexOf(column)).type();
        partitionValues.put(column, List.of(value(type), value(type)));
      }
      for (int i = 1 + random.nextInt(60); i > 0; i--) {
        List<Object> values = new ArrayList<>();
        for (String column : primaryKey) {
          values.add(
              partition.contains(column)
                  ? any(partitionValues.get(column))
                  : value(row.column(row.indexOf(column)).type()));
        }
        keys.add(values);
      }
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private Object value(ColumnType type) {
      return PlainValues.of(RandomRows.value(random, type), type);
    }

    /** Goes on for some steps. */
    void run(int least) throws Exception {
      int steps = least + random.nextInt(2 * least);
      for (int step = 0; step < steps; step++) {
        step();
        remember();
        check(step == steps - 1 || random.nextInt(3) == 0);
      }
      if (!past.isEmpty()) {
        checkPast(any(List.copyOf(past.keySet())));
      }
      if (theirs != null && random.nextInt(3) == 0) {
        expire();
      }
    }

    /** Paimon deletes what only older snapshots need. */
    private void expire() throws Exception {
      story.append("\nolder snapshots expire");
      theirs
          .table()
          .newExpireSnapshots()
          .config(
              ExpireConfig.builder()
                  .snapshotRetainMin(1)
                  .snapshotRetainMax(1)
                  .snapshotTimeRetain(Duration.ZERO)
                  .build())
          .expire();
      if (!past.isEmpty()) {
        past.headMap(past.lastKey()).clear();
      }
      check(true);
    }

    private void remember() throws IOException {
      long latest = ours.latestSnapshot();
      for (long id = past.isEmpty() ? 1 : past.lastKey() + 1; id <= latest; id++) {
        past.put(id, model.rows());
      }
    }

    /** From now on the table has bitmaps; nothing tells Paimon that older rows have none yet. */
    void switchBitmapsOn() throws Exception {
      story.append("\nbitmaps on");
      FileSystemCatalog catalog = new FileSystemCatalog(ours.table().storage(), "/");
      catalog.alter(ours.table(), Map.of("deletion-vectors.enabled", "true"), Set.of());
      ours = CoreTable.open(theirs.directory());
      theirs = theirs.reopened();
      struckOut = true;
      SameRows.check("read by us", ours.rows(), model.rows());
      ours.write(draw(Who.WE));
      SameRows.check("read by us", ours.rows(), model.rows());
      ours.compact(true);
      firstWithOptionsOfNow = ours.latestSnapshot();
      remember();
      check(true);
    }

    private void step() throws Exception {
      int what = random.nextInt(theirs == null ? 8 : 16);
      switch (theirs == null && what > 5 ? what + 8 : what) {
        case 0 -> {
          story.append("\nwe compact fully");
          ours.compact(true);
        }
        case 1 -> {
          boolean purge = random.nextBoolean();
          story.append(purge ? "\nwe purge" : "\nwe compact");
          if (purge) {
            ours.purge(random.nextInt(2) * 0.3);
          } else {
            ours.compact(false);
          }
        }
        case 2 -> {
          story.append("\nwithout compaction");
          ours.with("write-only", "true").write(draw(Who.WE));
        }
        case 3 -> overrule();
        case 4, 5 -> ours.write(draw(Who.WE));
        case 6 -> {
          story.append("\nPaimon compacts");
          theirs.compact();
        }
        case 7, 8 -> {
          story.append("\nwithout compaction");
          theirs.with("write-only", "true").write(draw(Who.PAIMON));
        }
        case 9, 10, 11 -> theirs.write(draw(Who.PAIMON));
        case 12 -> theyCommitWhileWeWrite();
        case 13 -> weCommitWhileTheyWrite();
        case 14 -> alter();
        default -> alterWhileWeWrite();
      }
    }

    /** Either we fail, and the table is as they left it, or both writes are there. */
    private void theyCommitWhileWeWrite() throws Exception {
      List<Row> rows = rows();
      CoreTable.Pending pending = ours.prepare(rows);
      if (random.nextBoolean()) {
        theirs.write(draw(Who.PAIMON));
      } else {
        theirs.with("write-only", "true").write(draw(Who.PAIMON));
      }
      remember();
      try {
        pending.commit();
        model.write(rows);
        tell("we were late:", rows);
      } catch (CommitConflictException e) {
        story.append("\nwe were too late");
      }
    }

    /** Paimon checks nothing where it only appends, so the rows of both are there. */
    private void weCommitWhileTheyWrite() throws Exception {
      List<Row> late = rows();
      if (descending) {
        onlyOneOfEachKey(late);
      }
      Set<List<Object>> lateKeys = new HashSet<>();
      late.forEach(row -> lateKeys.add(keyOf(row)));
      List<Row> rows = rows();
      rows.removeIf(row -> lateKeys.contains(keyOf(row))); // else numbers decide, equal ones too
      theirs
          .with("write-only", "true")
          .write(
              late,
              () -> {
                ours.write(rows);
                model.write(rows);
                tell("we, while they write", rows);
                remember();
              });
      model.write(late);
      tell("they", late);
    }

    /** What began before is written by the columns of then. */
    private void alterWhileWeWrite() throws Exception {
      List<Row> rows = rows();
      tell("we, before a change of columns", rows);
      CoreTable.Pending pending = ours.prepare(rows);
      UnaryOperator<Object[]> change = alter();
      pending.commit();
      model.write(
          rows.stream().map(row -> new Row(row.kind(), change.apply(row.values()))).toList());
    }

    /** Returns what became of a row. */
    private UnaryOperator<Object[]> alter() throws Exception {
      RowType before = ours.table().schema().rowType();
      List<String> fixed = new ArrayList<>(ours.table().schema().primaryKeys());
      fixed.addAll(ours.table().options().sequenceFields());
      boolean again = !dropped.isEmpty() && random.nextBoolean();
      String fresh = again ? dropped.remove(0) : "n" + ours.table().schema().id();
      ColumnChange change = ColumnChange.draw(random, before, fixed, fresh);
      boolean indexed = dropIndexes();
      boolean we = theirs == null || random.nextBoolean();
      if (we) {
        FileSystemCatalog catalog = new FileSystemCatalog(ours.table().storage(), "/");
        catalog.alter(ours.table(), new ColumnChanges(List.of(change.ours())));
        theirs = theirs == null ? null : theirs.reopened();
      } else {
        theirs = theirs.alter(change.theirs());
      }
      ours = CoreTable.open(Path.of(ours.table().directory().root()));
      RowType after = ours.table().schema().rowType();
      story.append("\n" + (we ? "we: " : "Paimon: ") + change);
      if (change.newName() == null) {
        dropped.add(change.oldName());
      }
      UnaryOperator<Object[]> values = old -> change.values(old, before, after);
      model = model.evolved(ours, values);
      if (indexed || random.nextInt(4) == 0) {
        addIndexes(after);
      }
      lookAtColumns();
      return values;
    }

    /** A column that is indexed could not be dropped or renamed; files keep what they have. */
    private boolean dropIndexes() throws IOException {
      Set<String> options = new HashSet<>(ours.table().schema().options().keySet());
      options.removeIf(option -> !option.startsWith("file-index."));
      setOptions(Map.of(), options);
      return !options.isEmpty();
    }

    private void addIndexes(RowType columns) throws IOException {
      Map<String, String> indexes = RandomIndexes.forAnyValues(random, columns, 0.3);
      story.append("\nindexes " + indexes);
      setOptions(indexes, Set.of());
    }

    private void setOptions(Map<String, String> set, Set<String> removed) throws IOException {
      FileSystemCatalog catalog = new FileSystemCatalog(ours.table().storage(), "/");
      catalog.alter(ours.table(), set, removed);
      ours = CoreTable.open(Path.of(ours.table().directory().root()));
      theirs = theirs == null ? null : theirs.reopened();
    }

    private List<Row> rows() {
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(5) == 0 ? 2 * keys.size() : 1 + random.nextInt(8); i > 0; i--) {
        rows.add(row());
      }
      return rows;
    }

    private List<Row> draw(Who who) {
      List<Row> rows = rows();
      if (descending && who == Who.PAIMON) {
        onlyOneOfEachKey(rows);
      }
      model.write(rows);
      tell(who == Who.PAIMON ? "Paimon" : "we", rows);
      return rows;
    }

    /**
     * Paimon's write buffer keeps the largest of one batch in any case; files it merges rightly.
     */
    private void onlyOneOfEachKey(List<Row> rows) {
      Set<List<Object>> keysOfBatch = new HashSet<>();
      rows.removeIf(row -> !keysOfBatch.add(keyOf(row)));
    }

    /** Deletes or changes rows by SQL: whatever their sequence fields are, these are meant. */
    private void overrule() throws Exception {
      if (!struckOut && !sequence.isEmpty()) {
        ours.write(draw(Who.WE));
        return;
      }
      List<Row> rows = new ArrayList<>();
      List<List<Object>> live = model.rows();
      for (int i = 0; i < live.size(); i++) {
        if (random.nextInt(8) == 0) {
          boolean delete = random.nextBoolean();
          Object[] values = live.get(i).toArray();
          if (!delete) {
            newValues(values);
          }
          rows.add(new Row(delete ? RowKind.DELETE : RowKind.UPDATE_AFTER, values));
        }
      }
      model.overrule(rows);
      tell("we overrule", rows);
      ours.overrule(rows);
    }

    private void tell(String who, List<Row> rows) {
      story.append("\n" + who + ":");
      for (Row row : rows) {
        story.append(" " + row.kind().shortString() + List.of(text(row)));
      }
    }

    private List<Object> keyOf(Row row) {
      var schema = ours.table().schema();
      return schema.primaryKeys().stream()
          .map(name -> row.values()[schema.rowType().indexOf(name)])
          .toList();
    }

    private static String text(Row row) {
      return Arrays.toString(row.values());
    }

    private Row row() {
      List<Object> key = any(keys);
      Object[] values = new Object[types.size()];
      newValues(values);
      List<String> names = ours.table().schema().primaryKeys();
      for (int i = 0; i < names.size(); i++) {
        values[ours.table().schema().rowType().indexOf(names.get(i))] = key.get(i);
      }
      // A delete is forgotten once it is compacted away, so its key must not come back with an
      // older sequence: here it does not come back at all.
      Row newest = model.newest(key);
      if (!sequence.isEmpty() && newest != null && TableModel.isDelete(newest)) {
        return new Row(RowKind.DELETE, newest.values());
      }
      boolean delete = random.nextInt(5) == 0;
      if (delete && newest != null) {
        for (int column : sequence) {
          values[column] = newest.values()[column];
        }
      }
      RowKind kind =
          delete
              ? any(List.of(RowKind.DELETE, RowKind.UPDATE_BEFORE))
              : any(List.of(RowKind.INSERT, RowKind.UPDATE_AFTER));
      return new Row(kind, values);
    }

    private void newValues(Object[] values) {
      List<String> names = ours.table().schema().primaryKeys();
      for (int i = 0; i < values.length; i++) {
        ColumnType type = types.get(i);
        if (!names.contains(ours.table().schema().rowType().column(i).name())) {
          values[i] = random.nextInt(6) == 0 ? null : value(type);
        }
      }
    }

    private void check(boolean thoroughly) throws Exception {
      List<List<Object>> expected = model.rows();
      SameRows.check("read by us", ours.rows(), expected);
      if (theirs == null) {
        assertThat(ours.hasLevelZero()).isFalse();
      } else if (!struckOut || !ours.hasLevelZero()) {
        SameRows.check("read by Paimon", theirs.rows(), expected);
      } else {
        SameRows.check("settled rows", ours.rows(LevelZero.SKIP), theirs.rows());
      }
      if (thoroughly && theirs != null) {
        SameRows.check("compacted by Paimon", theirs.rowsAfterCompactingACopy(), expected);
      }
      assertThat(ours.rows()).as("order").isEqualTo(expected);
      for (int i = 0; i < 3; i++) {
        checkCondition(expected);
      }
    }

    /** What is left out because of a condition, and columns that are not read, change no answer. */
    private void checkCondition(List<List<Object>> rows) throws IOException {
      RowType all = ours.table().schema().rowType();
      List<Column> plain =
          all.columns().stream().filter(c -> c.type() instanceof ColumnType.Scalar).toList();
      Predicate condition =
          RandomPredicates.predicate(
              random, new RowType(plain), 2, (r, column) -> literal(rows, all, column));
      Set<Column> needed = Predicates.columns(condition);
      List<Column> read = new ArrayList<>(all.columns());
      read.removeIf(column -> !needed.contains(column) && random.nextBoolean());
      Collections.shuffle(read, random);
      RowType columns = new RowType(read);
      List<Integer> indexes = read.stream().map(column -> all.indexOf(column.name())).toList();
      List<List<Object>> expected =
          rows.stream()
              .filter(row -> holds(condition, row, all))
              .map(row -> pick(row, indexes))
              .toList();
      SameRows.check(
          "where " + condition, ours.rows(columns, condition, 1 + random.nextInt(4)), expected);
      SameRows.check(
          "without indexes, where " + condition,
          ours.with("file-index.read.enabled", "false").rows(columns, condition, 1),
          expected);
    }

    private static List<Object> pick(List<Object> row, List<Integer> indexes) {
      List<Object> picked = new ArrayList<>();
      indexes.forEach(index -> picked.add(row.get(index)));
      return picked;
    }

    private static boolean holds(Predicate condition, List<Object> row, RowType type) {
      return Predicates.test(condition, PlainValues.row(row, type), type) == Truth.TRUE;
    }

    /** Mostly a value that is there. */
    private Object literal(List<List<Object>> rows, RowType all, Column column) {
      Object there =
          rows.isEmpty() || random.nextInt(4) == 0
              ? null
              : any(rows).get(all.indexOf(column.name()));
      return there == null
          ? RandomRows.value(random, column.type())
          : PlainValues.spark(there, column.type());
    }

    private void checkPast(long id) throws Exception {
      SameRows.check("snapshot " + id, ours.rows(id, LevelZero.MERGE), past.get(id));
      if (theirs == null || id < firstWithOptionsOfNow) {
        return;
      }
      SameRows.check(
          "snapshot " + id + " by Paimon", theirs.rows(id), ours.rows(id, LevelZero.SKIP));
    }
  }
}
