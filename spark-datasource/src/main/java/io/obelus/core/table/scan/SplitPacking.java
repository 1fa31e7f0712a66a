package io.obelus.core.table.scan;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts large files and packs small ones into splits of about one size.
 *
 * @param target bytes of a split
 * @param openCost bytes that opening a file counts for at least
 */
record SplitPacking(long target, long openCost) {

  /** Splits that together hold the parts, each of which is a whole file; large ones are cut. */
  List<Split> pack(List<Split.Part> files) {
    return packWhole(files.stream().flatMap(file -> cut(file).stream()).toList());
  }

  /** Splits that together hold the parts as they are. */
  List<Split> packWhole(List<Split.Part> parts) {
    List<Split> splits = new ArrayList<>();
    List<Split.Part> open = new ArrayList<>();
    long weight = 0;
    for (Split.Part part : parts) {
      long next = Math.max(bytes(part), openCost);
      if (!open.isEmpty() && weight + next > target) {
        splits.add(split(open));
        open.clear();
        weight = 0;
      }
      open.add(part);
      weight += next;
    }
    if (!open.isEmpty()) {
      splits.add(split(open));
    }
    return splits;
  }

  /**
   * Equal ranges of rows, none of more than about the target's bytes; a row group falls to where it
   * begins.
   */
  private List<Split.Part> cut(Split.Part file) {
    long rows = file.file().rowCount();
    long pieces = Math.max(1, Math.min(rows, (bytes(file) + target - 1) / target));
    List<Split.Part> parts = new ArrayList<>();
    for (long i = 0; i < pieces; i++) {
      parts.add(
          new Split.Part(
              file.bucket(),
              file.directory(),
              file.file(),
              file.deletions(),
              file.deleted(),
              rows * i / pieces,
              rows * (i + 1) / pieces));
    }
    return parts;
  }

  private static long bytes(Split.Part part) {
    long rows = Math.max(1, part.file().rowCount());
    return (long) ((double) part.file().size() * (part.to() - part.from()) / rows);
  }

  private static Split split(List<Split.Part> parts) {
    long bytes = parts.stream().mapToLong(SplitPacking::bytes).sum();
    long rows =
        parts.stream()
            .filter(Split.Part::whole)
            .mapToLong(p -> p.file().rowCount() - p.deleted())
            .sum();
    return new Split(parts, false, bytes, rows);
  }
}
