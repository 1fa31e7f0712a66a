/**
 * Merge engines: of all rows of one key, which one does the table show?
 *
 * <p>Called by {@code bucket} whenever rows of one key meet. Knows rows, nothing of files or
 * levels. Start at {@link io.obelus.core.bucket.merge.MergeEngine}.
 */
package io.obelus.core.bucket.merge;
