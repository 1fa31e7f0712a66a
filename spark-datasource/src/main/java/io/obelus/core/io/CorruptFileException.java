package io.obelus.core.io;

/** The bytes of a file are not what its format asks for: damaged, cut short, or not this format. */
public final class CorruptFileException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Says that {@code what} should be {@code expected} but is {@code found}. */
  public CorruptFileException(Place place, String what, Object expected, Object found) {
    super(message(place, "%s should be %s but is %s".formatted(what, expected, found)));
  }

  /** Says {@code problem} in its own words, without a full stop at the end. */
  public CorruptFileException(Place place, String problem) {
    super(message(place, problem));
  }

  /** As the form without a cause; {@code cause} is what a library said. */
  public CorruptFileException(Place place, String problem, Throwable cause) {
    super(message(place, problem), cause);
  }

  private static String message(Place place, String problem) {
    return place
        + ": "
        + problem
        + ". The file is damaged or cut short; restore it, or roll back to a snapshot that does not"
        + " use it.";
  }
}
