/**
 * Bloom filter index, {@code bloom-filter}: says of a value that it is certainly not in a file.
 *
 * <p>Called by {@code core.file.index} as one {@link io.obelus.core.file.index.kind.IndexKind}.
 * Knows neither containers nor data files. Start at {@link
 * io.obelus.core.file.index.bloom.BloomIndex}.
 */
package io.obelus.core.file.index.bloom;
