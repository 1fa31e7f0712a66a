package io.obelus.core.io;

/**
 * Somebody else committed first and changed what this commit builds on. Nothing of this commit is
 * visible.
 */
public final class CommitConflictException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** {@code message} names the table, the bucket or file, the snapshot that won, and what to do. */
  public CommitConflictException(String message) {
    super(message);
  }
}
