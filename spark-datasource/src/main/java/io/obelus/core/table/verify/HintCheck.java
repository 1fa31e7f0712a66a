package io.obelus.core.table.verify;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The hints LATEST and EARLIEST mislead nobody. They may be missing, and LATEST may be behind:
 * readers look for the snapshot after it.
 */
final class HintCheck implements Check<History> {

  static final String NAME = "hint";

  @Override
  public void check(History history, Report report) throws IOException {
    List<Long> ids = history.snapshots().ids();
    if (ids.isEmpty()) {
      return;
    }
    long first = ids.get(0);
    long last = ids.get(ids.size() - 1);
    String latest = history.directory().latestHint();
    Long hint = read(history, latest, report);
    if (hint != null && (hint > last || (hint < last && !ids.contains(hint + 1)))) {
      report.warning(
          NAME,
          Where.file(latest),
          "the newest snapshot is %d, but the hint sends readers to %d".formatted(last, hint),
          Mend.LATEST,
          Long.toString(last));
    }
    String earliest = history.directory().earliestHint();
    hint = read(history, earliest, report);
    if (hint != null && hint > first) {
      long said = hint;
      long kept = ids.stream().filter(id -> id >= said).count();
      report.warning(
          NAME,
          Where.file(earliest),
          "the oldest snapshot is %d, but the hint says %d".formatted(first, hint),
          Mend.EXPIRE,
          Long.toString(Math.max(1, kept)));
    }
  }

  /** Null if there is none that makes sense. */
  private static Long read(History history, String file, Report report) throws IOException {
    String text;
    try {
      text = new String(history.table().storage().read(file), StandardCharsets.UTF_8).strip();
    } catch (FileNotFoundException e) {
      return null;
    }
    if (text.matches("\\d{1,18}")) {
      return Long.valueOf(text);
    }
    report.warning(
        NAME,
        Where.file(file),
        "a hint should be the number of a snapshot but is '%s'".formatted(text),
        Mend.LATEST,
        Long.toString(
            history.snapshots().ids().stream().mapToLong(Long::longValue).max().orElse(0)));
    return null;
  }
}
