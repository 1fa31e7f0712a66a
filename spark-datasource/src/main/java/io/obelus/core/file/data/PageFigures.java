package io.obelus.core.file.data;

/**
 * Data pages of a file's columns that were asked for.
 *
 * @param read those that were read
 * @param skipped those that were not, because no row in them was wanted
 */
public record PageFigures(long read, long skipped) {

  public static final PageFigures NONE = new PageFigures(0, 0);

  /** Both together. */
  public PageFigures plus(PageFigures other) {
    return new PageFigures(read + other.read, skipped + other.skipped);
  }
}
