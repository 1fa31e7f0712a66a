/**
 * The SQL that Spark 3.5 lacks: {@code CALL [catalog.]sys.name(…)}, {@code SHOW PROCEDURES}, {@code
 * INSERT} with some of the columns, and {@code ANALYZE TABLE} of a table of ours.
 *
 * <p>Called by Spark's session, into which {@link io.obelus.procedure.ObelusExtensions} puts it.
 * Knows of tables nothing but their columns. Start at {@link io.obelus.procedure.sql.CallParser}.
 */
package io.obelus.procedure.sql;
