package io.obelus.core.bucket;

import io.obelus.core.bucket.merge.KeyedRecord;
import io.obelus.core.bucket.merge.MergeEngine;
import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.RowComparator;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Merges sorted runs by key: one record for each key, in key order, retracts included. Memory: a
 * batch for each run. Not thread-safe.
 *
 * <p>A tournament tree finds the smallest record with log2(runs) comparisons; of one key, the
 * oldest record comes first.
 */
public final class MergeReader implements Closeable {

  private final List<RunCursor> runs;
  private final MergeEngine engine;
  private final RowComparator byKey;
  private final SequenceOrder bySequence;

  /**
   * Node i has children 2i and 2i+1; leaves {@code [n, 2n)} are the runs; a node holds the run that
   * wins below it.
   */
  private final int[] winners;

  private final boolean[] inTree;
  private final int[] taken;
  private final KeyedRecord[] group;
  private int groupSize;
  private KeyedRecord result;

  /**
   * @param shape of the rows that the cursors return
   * @param runs newest first, not yet advanced
   */
  MergeReader(RowShape shape, MergeEngine engine, List<RunCursor> runs) throws IOException {
    this.runs = runs;
    this.engine = engine;
    byKey = RowComparator.of(shape.row(), shape.key());
    bySequence = new SequenceOrder(shape, shape);
    winners = new int[2 * runs.size()];
    inTree = new boolean[runs.size()];
    taken = new int[runs.size()];
    group = new KeyedRecord[runs.size()];
    try {
      build();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Moves to the next key; false at the end. */
  public boolean next() throws IOException {
    for (int i = 0; i < groupSize; i++) {
      inTree[taken[i]] = runs.get(taken[i]).advance();
      replay(taken[i]);
    }
    groupSize = 0;
    if (runs.isEmpty() || !inTree[winners[1]]) {
      return false;
    }
    take();
    while (inTree[winners[1]] && byKey.compare(group[0].row(), runRow(winners[1])) == 0) {
      take();
    }
    result = groupSize == 1 ? group[0] : engine.merge(group, groupSize);
    return true;
  }

  /** The merged record of the current key; valid until the next move. */
  public KeyedRecord record() {
    return result;
  }

  /** The data file that the newest record of the current key is in. */
  public DataFile file() {
    return runs.get(taken[groupSize - 1]).file();
  }

  /** Position, in {@link #file}, of the newest record of the current key. */
  public long position() {
    return runs.get(taken[groupSize - 1]).position();
  }

  private void build() throws IOException {
    int n = runs.size();
    for (int run = 0; run < n; run++) {
      inTree[run] = runs.get(run).advance();
      winners[n + run] = run;
    }
    for (int node = n - 1; node >= 1; node--) {
      winners[node] = better(winners[2 * node], winners[2 * node + 1]);
    }
  }

  private void take() {
    int run = winners[1];
    taken[groupSize] = run;
    group[groupSize++] = runs.get(run).record();
    inTree[run] = false;
    replay(run);
  }

  private void replay(int run) {
    for (int node = (runs.size() + run) / 2; node >= 1; node /= 2) {
      winners[node] = better(winners[2 * node], winners[2 * node + 1]);
    }
  }

  private int better(int a, int b) {
    if (!inTree[a]) {
      return b;
    }
    if (!inTree[b]) {
      return a;
    }
    KeyedRecord left = runs.get(a).record();
    KeyedRecord right = runs.get(b).record();
    int order = byKey.compare(left.row(), right.row());
    if (order == 0) {
      order = bySequence.compare(left.row(), right.row());
    }
    if (order == 0) {
      order = Long.compare(left.sequence(), right.sequence());
    }
    if (order == 0) {
      order = b - a; // the run further back in the list is the older one
    }
    return order < 0 ? a : b;
  }

  private InternalRow runRow(int run) {
    return runs.get(run).record().row();
  }

  @Override
  public void close() throws IOException {
    for (RunCursor run : runs) {
      run.close();
    }
  }
}
