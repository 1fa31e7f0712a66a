package io.obelus.core.table.commit;

import static io.obelus.core.table.commit.TestTable.bucket;
import static io.obelus.core.table.commit.TestTable.deletions;
import static io.obelus.core.table.commit.TestTable.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.io.CommitConflictException;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.testing.FailingStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Commits that break at a step, and commits that race. */
class CommitFailureTest {

  // So that each commit also merges manifests.
  private static final String[] MERGING = {
    "manifest.merge-min-count", "1", "manifest.full-compaction-threshold-size", "1 b"
  };

  private static TestTable withOneFile() throws IOException {
    TestTable table = TestTable.keyed(MERGING);
    table.commit().commit(List.of(table.change(bucket(0)).writes(file("data-0", 5, 0, 99)).done()));
    return table;
  }

  private static BucketChange upsert(TestTable table) throws IOException {
    return table
        .change(bucket(0))
        .writes(file("data-1", 4, 0, 9))
        .deletes(deletions("index-0", "data-0:3"))
        .done();
  }

  /** What a commit may leave behind: nothing at all, or all of it. */
  private static final Set<String> BEFORE = Set.of("0/data-0@5");

  private static final Set<String> AFTER = Set.of("0/data-0@5", "0/data-1@4");

  private enum Break {
    ONCE,
    ONCE_AFTER_DOING,
    FOR_GOOD,
    FOR_GOOD_AFTER_DOING;

    FailingStorage at(int step, TestTable table) {
      FailingStorage storage =
          this == ONCE || this == ONCE_AFTER_DOING
              ? FailingStorage.failingAt(step, table.storage())
              : FailingStorage.dyingAt(step, table.storage());
      return this == ONCE_AFTER_DOING || this == FOR_GOOD_AFTER_DOING
          ? storage.afterDoing()
          : storage;
    }
  }

  @Test
  void a_commit_that_breaks_at_any_step_leaves_a_table_that_reads() throws IOException {
    for (Break kind : Break.values()) {
      for (int step = 1; ; step++) {
        TestTable table = withOneFile();
        BucketChange change = upsert(table);
        Set<String> files = table.stored();
        Snapshot base = table.latest();
        FailingStorage storage = kind.at(step, table);
        boolean committed = false;
        boolean unknown = false;
        try {
          Commit commit = new Commit(table.through(storage), base, Map.of(), retry -> {});
          try {
            committed = commit.commit(List.of(change)).isPresent();
          } catch (IOException | RuntimeException e) {
            unknown = e.getMessage().contains("it is unknown whether snapshot 2 was created");
            commit.abort(List.of(change)); // as Spark does
          }
        } catch (IOException | UncheckedIOException e) {
          // the table could not even be opened
        }
        String when = kind + " at step " + step + " of " + storage.operations();
        assertThat(table.files()).as(when).isIn(BEFORE, AFTER);
        boolean present = table.files().equals(AFTER);
        if (committed) {
          assertThat(present).as(when).isTrue();
        }
        if (present || unknown) {
          assertThat(table.stored()).as(when).containsAll(files);
        }
        if (present && !unknown) {
          assertThat(committed).as(when).isTrue();
        }
        if (!storage.hasFailed()) {
          assertThat(step).isGreaterThan(20);
          break;
        }
      }
    }
  }

  @Test
  void a_commit_that_is_given_up_for_certain_leaves_no_file() throws IOException {
    int failures = 0;
    for (int step = 1; ; step++) {
      TestTable table = withOneFile();
      Set<String> clean = table.stored();
      BucketChange change = upsert(table);
      Table opened = open(table, step);
      try {
        opened.commit.commit(List.of(change));
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("broken on purpose");
        assertThat(table.stored()).as("step " + step).isEqualTo(clean);
        failures++;
      }
      if (!opened.storage.hasFailed()) {
        break;
      }
    }
    assertThat(failures).isGreaterThan(10);
  }

  private record Table(FailingStorage storage, Commit commit) {}

  /** A commit of a storage that breaks once, counted after the table was opened. */
  private static Table open(TestTable table, int step) throws IOException {
    FailingStorage counting = FailingStorage.counting(table.storage());
    table.through(counting);
    int opening = counting.operations().size();
    FailingStorage storage = FailingStorage.failingAt(opening + step, table.storage());
    return new Table(
        storage, new Commit(table.through(storage), table.latest(), Map.of(), retry -> {}));
  }

  @Test
  void a_snapshot_that_was_created_although_it_seemed_not_is_the_commit() throws IOException {
    TestTable table = withOneFile();
    BucketChange change = upsert(table);
    int create = stepOf(table, "createIfAbsent ");
    FailingStorage storage = FailingStorage.failingAt(create, table.storage()).afterDoing();
    Commit commit = new Commit(table.through(storage), table.latest(), Map.of(), retry -> {});
    Snapshot made = commit.commit(List.of(change)).orElseThrow();
    assertThat(storage.hasFailed()).isTrue();
    assertThat(made).isEqualTo(table.latest());
    assertThat(made.id()).isEqualTo(2);
    assertThat(table.files()).isEqualTo(AFTER);
  }

  @Test
  void an_unknown_outcome_is_said_and_nothing_is_deleted() throws IOException {
    TestTable table = withOneFile();
    BucketChange change = upsert(table);
    int create = stepOf(table, "createIfAbsent ");
    for (boolean done : new boolean[] {false, true}) {
      FailingStorage storage = FailingStorage.dyingAt(create, table.storage());
      if (done) {
        storage.afterDoing();
      }
      Set<String> files = table.stored();
      Commit commit = new Commit(table.through(storage), table.latest(), Map.of(), retry -> {});
      assertThatThrownBy(() -> commit.commit(List.of(change)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "table db.t: it is unknown whether snapshot 2 was created, because of: broken on"
                  + " purpose")
          .hasMessageContaining("Nothing was deleted. The commit is done if that snapshot exists");
      commit.abort(List.of(change));
      assertThat(table.stored()).containsAll(files);
      assertThat(storage.operations()).noneMatch(operation -> operation.startsWith("delete"));
      assertThat(table.files()).isEqualTo(done ? AFTER : BEFORE);
    }
  }

  /** The step at which the commit of {@link #upsert} does something first. */
  private static int stepOf(TestTable table, String operation) throws IOException {
    TestTable other = withOneFile();
    FailingStorage counting = FailingStorage.counting(other.storage());
    new Commit(other.through(counting), other.latest(), Map.of(), retry -> {})
        .commit(List.of(upsert(other)));
    List<String> operations = counting.operations();
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i).startsWith(operation)) {
        return i + 1;
      }
    }
    throw new AssertionError(operation + " is not among " + operations);
  }

  @Test
  void a_commit_that_lost_the_race_tries_again_on_top_of_the_winner() throws IOException {
    TestTable table = withOneFile();
    BucketChange mine = upsert(table);
    BucketChange theirs = table.change(bucket(1)).writes(file("data-2", 5, 0, 9)).done();
    Snapshot base = table.latest();
    FailingStorage storage =
        FailingStorage.counting(table.storage())
            .beforeSnapshot(() -> table.commit(base).commit(List.of(theirs)));
    List<Integer> pauses = new ArrayList<>();
    new Commit(table.through(storage), base, Map.of(), pauses::add).commit(List.of(mine));
    assertThat(pauses).containsExactly(0);
    assertThat(table.latest().id()).isEqualTo(3);
    assertThat(table.files()).containsExactly("0/data-0@5", "0/data-1@4", "1/data-2@5");
    assertThat(table.latest().totalRecordCount()).isEqualTo(30);
    assertThat(lists(table)).hasSize(6); // what the lost try wrote is gone
  }

  private static List<String> lists(TestTable table) throws IOException {
    return table.stored().stream().filter(path -> path.contains("manifest-list-")).toList();
  }

  @Test
  void a_commit_that_lost_the_race_may_find_a_conflict() throws IOException {
    TestTable table = withOneFile();
    BucketChange mine = upsert(table);
    BucketChange theirs = table.change(bucket(0)).writes(file("data-2", 3, 0, 9)).done();
    Snapshot base = table.latest();
    FailingStorage storage =
        FailingStorage.counting(table.storage())
            .beforeSnapshot(() -> table.commit(base).commit(List.of(theirs)));
    Commit commit = new Commit(table.through(storage), base, Map.of(), retry -> {});
    assertThatThrownBy(() -> commit.commit(List.of(mine)))
        .isInstanceOf(CommitConflictException.class);
    assertThat(table.files()).containsExactly("0/data-0@5", "0/data-2@3");
    assertThat(table.stored()).noneMatch(path -> path.contains("data-1"));
    assertThat(lists(table)).hasSize(4);
  }

  @Test
  void a_commit_that_loses_every_race_gives_up() throws IOException {
    TestTable table = TestTable.append("commit.max-retries", "2");
    BucketChange mine = table.change(bucket(0)).writes(file("data-mine")).done();
    Snapshot base = table.latest();
    int[] others = {0};
    FailingStorage.IoAction other =
        () ->
            table
                .commit()
                .commit(
                    List.of(table.change(bucket(0)).writes(file("data-" + others[0]++)).done()));
    FailingStorage storage = FailingStorage.counting(table.storage()).beforeSnapshot(other);
    Commit commit =
        new Commit(table.through(storage), base, Map.of(), retry -> storage.beforeSnapshot(other));
    assertThatThrownBy(() -> commit.commit(List.of(mine)))
        .isInstanceOf(CommitConflictException.class)
        .hasMessage(
            "table db.t: 3 times another commit was faster, at last with snapshot 3. Nothing of"
                + " this one was committed; run the statement again, or raise option"
                + " 'commit.max-retries'.");
    assertThat(table.files()).containsExactly("0/data-0", "0/data-1", "0/data-2");
    assertThat(table.stored()).noneMatch(path -> path.contains("mine"));
  }

  @Test
  void twenty_writers_lose_nothing() throws Exception {
    TestTable table = TestTable.append("commit.max-retries", "1000");
    Set<String> committed = Collections.synchronizedSet(new TreeSet<>());
    int snapshots =
        race(
            20,
            writer -> {
              for (int i = 0; i < 5; i++) {
                String name = "data-%d-%d".formatted(writer, i);
                assertThat(
                        table
                            .commit()
                            .commit(List.of(table.change(bucket(0)).writes(file(name)).done())))
                    .isPresent();
                committed.add("0/" + name);
              }
              return 5;
            });
    assertThat(snapshots).isEqualTo(100);
    assertThat(table.table().snapshots().ids()).hasSize(100).startsWith(1L).endsWith(100L);
    assertThat(table.files()).isEqualTo(committed).hasSize(100);
    assertThat(table.latest().totalRecordCount()).isEqualTo(1000);
  }

  @Test
  void twenty_writers_of_one_bucket_each_win_or_leave_nothing() throws Exception {
    TestTable table = TestTable.keyed("commit.max-retries", "1000");
    Set<String> committed = Collections.synchronizedSet(new TreeSet<>());
    int won =
        race(
            20,
            writer -> {
              String name = "data-" + writer;
              BucketChange change =
                  table
                      .change(bucket(writer % 4))
                      .writes(file(name, 5, 10L * writer, 10L * writer + 9))
                      .done();
              try {
                table.commit(null).commit(List.of(change));
                committed.add(writer % 4 + "/" + name + "@5");
                return 1;
              } catch (CommitConflictException e) {
                return 0;
              }
            });
    assertThat(won).isEqualTo(4); // one for each bucket
    assertThat(table.table().snapshots().ids()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(table.files()).isEqualTo(committed);
    assertThat(table.stored().stream().filter(path -> path.contains("/data-"))).hasSize(8);
  }

  private interface Writer {
    int write(int number) throws IOException;
  }

  private static int race(int writers, Writer writer) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        int number = i;
        tasks.add(() -> writer.write(number));
      }
      int sum = 0;
      for (Future<Integer> task : threads.invokeAll(tasks)) {
        sum += task.get();
      }
      return sum;
    } finally {
      threads.shutdownNow();
    }
  }
}
