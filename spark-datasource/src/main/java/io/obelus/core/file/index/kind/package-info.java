/**
 * What every kind of file index has in common: {@link io.obelus.core.file.index.kind.IndexKind}
 * makes writers and readers of the index of one column of one data file.
 *
 * <p>Implemented by the packages beside it, one per kind, and called by {@code core.file.index},
 * which keeps the indexes of a file together. Knows neither data files nor deletions. Start at
 * {@link io.obelus.core.file.index.kind.IndexKind}.
 */
package io.obelus.core.file.index.kind;
