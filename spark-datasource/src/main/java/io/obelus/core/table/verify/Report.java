package io.obelus.core.table.verify;

import io.obelus.core.table.verify.Finding.Severity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What checks have found so far; travels from tasks to the driver, where {@link Verify#findings}
 * makes findings of it. Not thread-safe.
 */
public final class Report implements Serializable {

  private static final long serialVersionUID = 1;

  private final ArrayList<Problem> problems = new ArrayList<>();

  /** Name of the table or branch that remedies are for; null = the one that is verified. */
  private final String table;

  Report() {
    this(null);
  }

  Report(String table) {
    this.table = table;
  }

  /** An empty one for the same table. */
  Report another() {
    return new Report(table);
  }

  /** Work that damage may stop. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  List<Problem> problems() {
    return List.copyOf(problems);
  }

  void addAll(Report other) {
    problems.addAll(other.problems);
  }

  void error(String check, Where where, String message, Mend mend, String subject) {
    problems.add(new Problem(Severity.ERROR, check, where, message, table, mend, subject));
  }

  void warning(String check, Where where, String message, Mend mend, String subject) {
    problems.add(new Problem(Severity.WARNING, check, where, message, table, mend, subject));
  }

  /**
   * Does some work; damage that stops it becomes an error of this check.
   *
   * @return whether it ran to its end
   */
  boolean guard(String check, Where where, Mend mend, String subject, Work work)
      throws IOException {
    try {
      work.run();
      return true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      error(check, where, text(e), mend, subject);
      return false;
    }
  }

  private static String text(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return e instanceof java.io.FileNotFoundException ? "a file is missing: " + message : message;
  }
}
