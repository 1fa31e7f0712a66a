package io.obelus.core.table.verify;

import io.obelus.core.io.Storage;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Sizes of files, by one listing of each directory. Keeps the listings. Not thread-safe. */
final class FileSizes {

  private final Storage storage;
  private final Map<String, Map<String, Long>> directories = new HashMap<>();
  private final Set<String> reported = new HashSet<>();

  FileSizes(Storage storage) {
    this.storage = storage;
  }

  /** Size of a file in bytes; null if there is no such file. */
  Long of(String path) throws IOException {
    int slash = path.lastIndexOf('/');
    return in(path.substring(0, slash)).get(path.substring(slash + 1));
  }

  private Map<String, Long> in(String directory) throws IOException {
    Map<String, Long> known = directories.get(directory);
    if (known == null) {
      known = new HashMap<>();
      for (Storage.Entry entry : storage.list(directory)) {
        if (!entry.isDirectory()) {
          known.put(entry.name(), entry.size());
        }
      }
      directories.put(directory, known);
    }
    return known;
  }

  /**
   * Reports a file that is missing or of another size, once.
   *
   * @param size expected; null if unknown
   */
  void check(Report report, String check, Where where, Long size, Mend mend, String subject)
      throws IOException {
    Long found = of(where.file());
    if (found != null && (size == null || found.equals(size))) {
      return;
    }
    if (reported.add(where.file())) {
      report.error(
          check,
          where,
          found == null
              ? "the file is missing"
              : "the file should have %d bytes but has %d".formatted(size, found),
          mend,
          subject);
    }
  }
}
