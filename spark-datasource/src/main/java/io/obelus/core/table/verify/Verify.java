package io.obelus.core.table.verify;

import io.obelus.core.bucket.BucketId;
import io.obelus.core.bucket.BucketState;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.io.TableDirectory;
import io.obelus.core.table.manifest.IndexEntry;
import io.obelus.core.table.manifest.ManifestEntry;
import io.obelus.core.table.snapshot.Snapshot;
import io.obelus.core.table.snapshot.Table;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Finds out whether a table is whole, and says of each fault what mends it. Nothing is changed.
 *
 * <pre>{@code
 * Verify verify = Verify.of(table, null, Verify.Level.FULL, 1.0); // looks at the metadata
 * List<Report> reports = ...                                      // verify.run(bucket), anywhere
 * List<Finding> findings = verify.findings(reports);              // none: the table is whole
 * }</pre>
 *
 * <p>It looks at one snapshot in all detail, and at the others, tags and branches as far as to say
 * whether their files are there. Thread-safe, serializable.
 */
public final class Verify implements Serializable {

  private static final long serialVersionUID = 1;

  private static final int POSTPONE = -2;

  private static final List<Check<State>> STATE_CHECKS =
      List.of(
          new SchemaCheck(),
          new RecordCountCheck(),
          new PredecessorCheck(),
          new BucketNumberCheck(),
          new KeyRangeCheck(),
          new DataFileCheck(),
          new IndexFileCheck());

  private static final List<Check<History>> HISTORY_CHECKS =
      List.of(new HintCheck(), new HistoryCheck());

  /** How much is read. */
  public enum Level {
    /** Everything but data files and the indexes beside them; of these only that they are there. */
    METADATA,
    /** Data files and their indexes too. */
    FULL
  }

  private final Table table;
  private final Snapshot snapshot;
  private final Level level;
  private final double sample;
  private final transient Report metadata = new Report();
  private final transient List<BucketState> buckets = new ArrayList<>();

  private Verify(Table table, Snapshot snapshot, Level level, double sample) {
    this.table = table;
    this.snapshot = snapshot;
    this.level = level;
    this.sample = sample;
  }

  /**
   * Looks at everything that is no content of a bucket.
   *
   * @param snapshot null = the newest one
   * @param sample share of the data files that are read if the level is FULL, above 0 to 1; always
   *     the same files of the same names
   * @throws IllegalArgumentException if keys may differ by less than can be seen
   * @throws IOException if the table's directories cannot be listed: of damage in a file there is a
   *     finding
   */
  public static Verify of(Table table, Snapshot snapshot, Level level, double sample)
      throws IOException {
    if (!(sample > 0 && sample <= 1)) {
      throw new IllegalArgumentException(
          "the share of data files to read should be above 0 and at most 1 but is " + sample);
    }
    table.options().checkComparable();
    FileSizes sizes = new FileSizes(table.storage());
    Report newest = new Report();
    Snapshot wanted = snapshot == null ? newest(table, newest) : snapshot;
    Verify verify = new Verify(table, wanted, level, sample);
    verify.metadata.addAll(newest);
    if (wanted != null) {
      verify.lookAtState(Replay.of(table, wanted, sizes, verify.metadata));
    }
    verify.lookAtHistories(sizes);
    return verify;
  }

  /** A newest snapshot that cannot be read is found where all snapshots are looked at. */
  private static Snapshot newest(Table table, Report report) throws IOException {
    List<Snapshot> found = new ArrayList<>();
    new Report()
        .guard(
            HistoryCheck.SNAPSHOT,
            Where.file(table.directory().snapshots()),
            Mend.RESTORE,
            table.directory().snapshots(),
            () -> table.snapshots().latest().ifPresent(found::add));
    return found.isEmpty() ? null : found.get(0);
  }

  private void lookAtState(State state) throws IOException {
    for (Check<State> check : STATE_CHECKS) {
      check.check(state, metadata);
    }
    for (BucketState bucket : states(state)) {
      if (level == Level.FULL && !bucket.files().isEmpty()) {
        buckets.add(bucket);
      } else {
        new DeletionBitmapCheck(state.places(), bucket, metadata).run();
      }
    }
  }

  private void lookAtHistories(FileSizes sizes) throws IOException {
    for (TableDirectory directory : table.branches().histories()) {
      History history = History.of(table, directory, snapshot, sizes);
      Report report = new Report(history.name());
      for (Check<History> check : HISTORY_CHECKS) {
        check.check(history, report);
      }
      metadata.addAll(report);
    }
  }

  /** The buckets that have files or bitmaps and whose partition can be read. */
  private List<BucketState> states(State state) throws IOException {
    Map<BucketId, List<ManifestEntry>> entries = new LinkedHashMap<>();
    for (ManifestEntry entry : state.live()) {
      if (entry.bucket().bucket() != POSTPONE) {
        entries.computeIfAbsent(entry.bucket(), id -> new ArrayList<>()).add(entry);
      }
    }
    Map<BucketId, List<IndexEntry>> deletions = new HashMap<>();
    for (IndexEntry entry : state.index()) {
      if (entry.isDeletionFile()) {
        entries.computeIfAbsent(entry.bucket(), id -> new ArrayList<>());
        deletions.computeIfAbsent(entry.bucket(), id -> new ArrayList<>()).add(entry);
      }
    }
    List<BucketState> states = new ArrayList<>();
    for (Map.Entry<BucketId, List<ManifestEntry>> bucket : entries.entrySet()) {
      BucketId id = bucket.getKey();
      List<ManifestEntry> files = bucket.getValue();
      metadata.guard(
          BucketNumberCheck.NAME,
          new Where(null, id.bucket(), null, null),
          Mend.ROLLBACK,
          null,
          () ->
              states.add(
                  new BucketState(
                      id,
                      state.places().directory(id),
                      files.isEmpty() ? -1 : files.get(files.size() - 1).totalBuckets(),
                      files.stream().map(ManifestEntry::file).toList(),
                      deletions.getOrDefault(id, List.of()).stream()
                          .map(IndexEntry::deletionFile)
                          .toList())));
    }
    return states;
  }

  /** The buckets whose content is still to be looked at; none unless the level is FULL. */
  public List<BucketState> buckets() {
    return List.copyOf(buckets);
  }

  /** Looks at the content of one bucket. */
  public Report run(BucketState bucket) throws IOException {
    Report report = new Report();
    new BucketCheck(Places.of(table), this::isSampled).check(bucket, report);
    return report;
  }

  /** Evenly spread over the names of files, of which the greater part is random. */
  private boolean isSampled(DataFile file) {
    CRC32 crc = new CRC32();
    crc.update(file.name().getBytes(StandardCharsets.UTF_8));
    return crc.getValue() < sample * (1L << 32);
  }

  /**
   * All faults, errors first.
   *
   * @param reports of the buckets
   */
  public List<Finding> findings(Collection<Report> reports) throws IOException {
    List<Problem> problems = new ArrayList<>(metadata.problems());
    reports.forEach(report -> problems.addAll(report.problems()));
    List<Finding> findings = new ArrayList<>(Remedies.of(table, snapshot, problems));
    findings.sort((a, b) -> a.severity().compareTo(b.severity())); // stable
    return findings;
  }

  /** All of it in this process. */
  public static List<Finding> all(Table table, Snapshot snapshot, Level level, double sample)
      throws IOException {
    Verify verify = of(table, snapshot, level, sample);
    List<Report> reports = new ArrayList<>();
    for (BucketState bucket : verify.buckets()) {
      reports.add(verify.run(bucket));
    }
    return verify.findings(reports);
  }
}
