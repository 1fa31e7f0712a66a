package io.obelus.core.bucket;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.row.BinaryRows;
import io.obelus.core.row.RowComparator;
import io.obelus.core.row.RowType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Arranges the data files of a bucket into sorted runs and sections (spec chapter 08). Thread-safe.
 */
public final class SortedRuns {

  private static final Comparator<DataFile> NEWEST_FIRST =
      Comparator.comparingLong(DataFile::maxSequence)
          .reversed()
          .thenComparingLong(DataFile::minSequence)
          .thenComparing(f -> f.creationTime() == null ? 0L : f.creationTime())
          .thenComparing(DataFile::name);

  private final BinaryRows keys;
  private final RowComparator order;

  /**
   * @param keyType row type of the trimmed primary key
   */
  public SortedRuns(RowType keyType) {
    keys = new BinaryRows(keyType);
    order = RowComparator.of(keyType);
  }

  /** A file with its key range decoded. */
  private record Ranged(DataFile file, InternalRow min, InternalRow max, int run) {}

  /** The runs of these files, newest first: each level-0 file alone, then levels 1, 2, ... */
  List<SortedRun> of(List<DataFile> files) {
    List<SortedRun> runs = new ArrayList<>();
    files.stream()
        .filter(f -> f.level() == 0)
        .sorted(NEWEST_FIRST)
        .forEach(f -> runs.add(new SortedRun(0, List.of(f))));
    TreeMap<Integer, List<DataFile>> levels = new TreeMap<>();
    for (DataFile file : files) {
      if (file.level() > 0) {
        levels.computeIfAbsent(file.level(), l -> new ArrayList<>()).add(file);
      }
    }
    levels.forEach((level, inLevel) -> runs.add(new SortedRun(level, inKeyOrder(inLevel))));
    return runs;
  }

  /** The sections of these files, in key order. */
  public List<Section> sections(List<DataFile> files) {
    return sectionsOf(of(files));
  }

  /** The sections of these runs, in key order; runs stay in their order. */
  List<Section> sectionsOf(List<SortedRun> runs) {
    List<Ranged> ranged = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      for (DataFile file : runs.get(run).files()) {
        ranged.add(new Ranged(file, minKey(file), maxKey(file), run));
      }
    }
    ranged.sort((a, b) -> order.compare(a.min(), b.min()));
    List<Section> sections = new ArrayList<>();
    List<Ranged> chained = new ArrayList<>();
    InternalRow end = null;
    for (Ranged next : ranged) {
      if (end != null && order.compare(next.min(), end) > 0) {
        sections.add(section(chained, runs.size()));
        chained.clear();
        end = null;
      }
      chained.add(next);
      end = end == null || order.compare(next.max(), end) > 0 ? next.max() : end;
    }
    if (!chained.isEmpty()) {
      sections.add(section(chained, runs.size()));
    }
    return sections;
  }

  InternalRow minKey(DataFile file) {
    return keys.read(file.minKey().bytes());
  }

  InternalRow maxKey(DataFile file) {
    return keys.read(file.maxKey().bytes());
  }

  private List<DataFile> inKeyOrder(List<DataFile> files) {
    return files.stream()
        .map(f -> new Ranged(f, minKey(f), null, 0))
        .sorted((a, b) -> order.compare(a.min(), b.min()))
        .map(Ranged::file)
        .toList();
  }

  private static Section section(List<Ranged> chained, int runCount) {
    List<List<DataFile>> runs = new ArrayList<>();
    for (int run = 0; run < runCount; run++) {
      int wanted = run;
      List<DataFile> files =
          chained.stream().filter(r -> r.run() == wanted).map(Ranged::file).toList();
      if (!files.isEmpty()) {
        runs.add(files);
      }
    }
    return new Section(runs);
  }
}
