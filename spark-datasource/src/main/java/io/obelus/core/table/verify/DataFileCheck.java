package io.obelus.core.table.verify;

import io.obelus.core.file.data.DataFile;
import io.obelus.core.file.index.FileIndex;
import io.obelus.core.table.manifest.ManifestEntry;
import java.io.IOException;
import java.util.List;

/** Each live data file is there and has its size, and its companions are there. */
final class DataFileCheck implements Check<State> {

  static final String NAME = "data_file";

  @Override
  public void check(State state, Report report) throws IOException {
    for (ManifestEntry entry : state.live()) {
      check(state.places(), state.sizes(), entry, report, Mend.ROLLBACK, null);
    }
  }

  /**
   * Checks the files of one entry.
   *
   * @param mend for files that cannot be made again
   * @param subject null = the file itself
   */
  static void check(
      Places places, FileSizes sizes, ManifestEntry entry, Report report, Mend mend, String subject)
      throws IOException {
    DataFile file = entry.file();
    report.guard(
        NAME,
        new Where(null, entry.bucket().bucket(), file.name(), null),
        mend,
        subject == null ? file.name() : subject,
        () -> {
          Where where = places.of(entry.bucket(), file);
          String of = subject == null ? file.name() : subject;
          sizes.check(report, NAME, where, file.size(), mend, of);
          String directory = places.directory(entry.bucket());
          List<String> indexes = FileIndex.namesAmong(file.extraFiles());
          for (String name : file.extraFiles()) {
            boolean index = indexes.contains(name) && mend == Mend.ROLLBACK;
            sizes.check(
                report,
                index ? FileIndexCheck.NAME : NAME,
                where.in(file.companion(directory, name)),
                null,
                index ? Mend.FILE_INDEX : mend,
                of);
          }
        });
  }
}
