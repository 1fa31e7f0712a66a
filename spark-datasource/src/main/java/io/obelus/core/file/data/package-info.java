/**
 * Data files: one Parquet file at a time, as column batches narrowed to a row selection, and
 * written row by row together with its statistics.
 *
 * <p>Called by {@code bucket}, which decides what is written and merged, and by {@code table.scan}.
 * Knows nothing of levels, bitmaps or snapshots: give it a file, its columns and a selection. The
 * only package that touches Parquet. Start at {@link DataFiles} to read and at {@link
 * DataFileWriter} to write.
 */
package io.obelus.core.file.data;
