package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.data.DataFileWriter;
import io.obelus.core.file.position.RowSelection;
import io.obelus.core.row.RowKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the newest runs of a bucket into one (spec chapter 08): sections in which keys meet are
 * rewritten, files that nobody overlaps are moved to the new level as they are. Not thread-safe.
 */
final class Compaction {

  private static final double LARGE_ENOUGH = 0.7; // of the target size: not worth rewriting

  private final KeyedBucket keyed;
  private final BucketState bucket;
  private final BucketEdit edit;
  private final BucketDeletions deletions;
  private final CompactionSettings settings;

  private int outputLevel;
  private boolean dropRetracts;
  private boolean clearBitmaps;
  private final List<Section> rewriting = new ArrayList<>();

  /**
   * @param deletions bitmaps of the bucket; null in a merge-on-read table
   */
  Compaction(
      KeyedBucket keyed,
      BucketState bucket,
      BucketEdit edit,
      BucketDeletions deletions,
      CompactionSettings settings) {
    this.keyed = keyed;
    this.bucket = bucket;
    this.edit = edit;
    this.deletions = deletions;
    this.settings = settings;
  }

  /**
   * Carries out a pick.
   *
   * @param runs all runs of the bucket, newest first
   * @param full whether the result shall have no bitmaps and no old-style files left
   */
  void run(List<SortedRun> runs, CompactionPick pick, boolean full) throws IOException {
    outputLevel = pick.outputLevel();
    dropRetracts = deletions != null || pick.runs() == runs.size();
    clearBitmaps = full;
    List<SortedRun> picked = runs.subList(0, pick.runs());
    boolean settled = picked.size() == 1 && picked.get(0).level() == outputLevel;
    for (Section section : keyed.sortedRuns().sectionsOf(picked)) {
      if (section.runs().size() > 1) {
        rewriting.add(section);
      } else {
        settle(section.runs().get(0), settled);
      }
    }
    flush();
  }

  /** Files of one run that overlap nothing: moved, or rewritten if that gains something. */
  private void settle(List<DataFile> run, boolean settled) throws IOException {
    for (DataFile file : run) {
      Section alone = new Section(List.of(List.of(file)));
      if (mustRewrite(file)) {
        rewriting.add(alone);
      } else if (settled || file.size() >= LARGE_ENOUGH * settings.targetFileSize()) {
        flush();
        edit.move(file, outputLevel);
      } else {
        rewriting.add(alone);
      }
    }
  }

  private boolean mustRewrite(DataFile file) {
    boolean unmarked =
        deletions != null && !keyed.files().schemas().deletionBitmaps(file.schemaId());
    return (clearBitmaps && ((deletions != null && deletions.has(file)) || unmarked))
        || (dropRetracts && file.mayHoldRetracts());
  }

  /** Rewrites the sections collected so far into files of the output level. */
  private void flush() throws IOException {
    List<DataFile> inputs = rewriting.stream().flatMap(s -> s.files().stream()).toList();
    if (inputs.size() == 1 && !mustRewrite(inputs.get(0))) {
      edit.move(inputs.get(0), outputLevel);
    } else if (!inputs.isEmpty()) {
      replace(inputs, rewrite());
    }
    rewriting.clear();
  }

  private List<DataFile> rewrite() throws IOException {
    try (DataFileWriter writer = keyed.newFiles(bucket, DataFile.SOURCE_COMPACT)) {
      for (Section section : rewriting) {
        KeyedBucket.FileOpener opener = keyed.opener(bucket, this::live);
        try (MergeReader merged = keyed.merge(keyed.shape().row(), section, opener)) {
          while (merged.next()) {
            KeyedRecord record = merged.record();
            if (!dropRetracts || !RowKind.isRetract(record.kind())) {
              writer.write(record.row(), record.sequence(), record.kind());
            }
          }
        }
      }
      return writer.finish(outputLevel);
    }
  }

  private void replace(List<DataFile> inputs, List<DataFile> outputs) throws IOException {
    long rowsBefore = inputs.stream().mapToLong(DataFile::rowCount).sum();
    long rowsAfter = outputs.stream().mapToLong(DataFile::rowCount).sum();
    edit.rewrote(inputs.stream().mapToLong(DataFile::size).sum(), rowsBefore - rowsAfter);
    for (DataFile output : outputs) {
      edit.create(output);
    }
    for (DataFile input : inputs) {
      edit.remove(input);
      if (deletions != null) {
        deletions.drop(input);
      }
    }
  }

  private RowSelection live(DataFile file) {
    return deletions == null ? RowSelection.all(file.rowCount()) : deletions.live(file);
  }
}
