package io.obelus.core.file.deletion;

/** How a deletion file keeps its bitmaps. */
public enum DeletionCoding {
  /** Index type DELETION_VECTORS, 32-bit boxes (spec chapter 09, V1). */
  BITMAP32,
  /** Index type DELETION_VECTORS, 64-bit boxes (spec chapter 09, V2). */
  BITMAP64,
  /** Index type DELETE_MAP (spec chapter 25). */
  DELETE_MAP
}
