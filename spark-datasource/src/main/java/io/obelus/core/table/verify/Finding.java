package io.obelus.core.table.verify;

import java.io.Serializable;

/**
 * One fault of a table.
 *
 * @param check name of the check that found it, such as {@code deletion_bitmap}
 * @param partition as a directory: {@code pt=1/dt=2}; empty in an unpartitioned table, null if the
 *     fault is in no bucket
 * @param bucket number; null if the fault is in no bucket
 * @param file path; null if the fault is in no single file
 * @param position of the first row concerned; null if it is not about rows
 * @param message what was found and what was expected
 * @param remedy the statement that mends it; in words where there is none
 */
public record Finding(
    Severity severity,
    String check,
    String partition,
    Integer bucket,
    String file,
    Long position,
    String message,
    String remedy)
    implements Serializable {

  /** How bad it is. */
  public enum Severity {
    /** Rows cannot be read, or reading may give wrong ones. */
    ERROR,
    /** What is read is right; something else is not as it should be. */
    WARNING
  }
}
