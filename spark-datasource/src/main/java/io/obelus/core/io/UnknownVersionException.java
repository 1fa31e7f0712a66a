package io.obelus.core.io;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A file is of a format version that this release does not know: it was written by a newer one. */
public final class UnknownVersionException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Names the version found and those that can be read.
   *
   * @param what the format, for instance "bitmap index"
   */
  public UnknownVersionException(Place place, String what, long found, long... known) {
    super(
        "%s: %s has version %d, but this release reads %s. Use a newer release to read it."
            .formatted(
                place,
                what,
                found,
                Arrays.stream(known).mapToObj(Long::toString).collect(Collectors.joining(", "))));
  }
}
