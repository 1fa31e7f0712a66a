/**
 * Whether a table is whole: what its metadata, its bitmaps, its statistics and its indexes say is
 * held against each other and against the rows.
 *
 * <p>Called by {@code CALL sys.verify} and by tests as their oracle. Changes nothing and knows no
 * session: which process looks at which bucket is up to the caller. A {@link
 * io.obelus.core.table.verify.Check} has one job; damage that it meets becomes a {@link
 * io.obelus.core.table.verify.Finding} and the others go on. Start at {@link
 * io.obelus.core.table.verify.Verify}.
 */
package io.obelus.core.table.verify;
