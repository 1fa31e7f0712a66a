/**
 * The SQL of procedures: {@code CALL [catalog.]sys.name(…)} and {@code SHOW PROCEDURES}.
 *
 * <p>Called by Spark's session, into which {@link io.obelus.procedure.ObelusExtensions} puts it.
 * Knows nothing of tables. Start at {@link io.obelus.procedure.sql.CallParser}.
 */
package io.obelus.procedure.sql;
