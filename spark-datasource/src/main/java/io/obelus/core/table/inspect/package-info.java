/**
 * System tables: what a table is made of, as plain rows (spec chapter 14).
 *
 * <p>Called by the Spark side, which knows how {@code t$files} is asked for and what an unquoted
 * name looks like. Knows no session: give it a table and a snapshot. Nothing here is stored; each
 * question is answered from the metadata files. Start at {@link
 * io.obelus.core.table.inspect.SystemTables}; one class there is one table.
 */
package io.obelus.core.table.inspect;
