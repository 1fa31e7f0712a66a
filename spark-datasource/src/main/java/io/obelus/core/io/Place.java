package io.obelus.core.io;

/**
 * A byte of a file, so that an error can say where: every reader of a format carries one.
 *
 * @param file path or name of the file, as the user would look for it
 * @param offset byte in that file, 0 = first
 */
public record Place(String file, long offset) {

  /** The start of {@code file}. */
  public static Place startOf(String file) {
    return new Place(file, 0);
  }

  /** The place {@code bytes} further on in the same file. */
  public Place plus(long bytes) {
    return new Place(file, offset + bytes);
  }

  @Override
  public String toString() {
    return file + " at byte " + offset;
  }
}
