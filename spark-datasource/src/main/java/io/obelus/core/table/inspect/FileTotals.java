package io.obelus.core.table.inspect;

import io.obelus.core.file.data.DataFile;

/** Sums over data files, while they are counted. Rows are as stored, struck-out ones included. */
final class FileTotals {

  long files;
  long rows;
  long bytes;

  /** Newest creation time, as the writers' clocks on the wall showed it; null if unknown. */
  Long lastCreated;

  void add(DataFile file) {
    files++;
    rows += file.rowCount();
    bytes += file.size();
    if (file.creationTime() != null) {
      lastCreated =
          lastCreated == null ? file.creationTime() : Math.max(lastCreated, file.creationTime());
    }
  }
}
