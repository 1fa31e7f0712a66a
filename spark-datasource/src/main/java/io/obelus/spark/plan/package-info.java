/**
 * Rules that change what Spark plans for statements about tables of ours: that it is planned beside
 * the extensions of others, and that a {@code MERGE} looks rows up by key. Without them the
 * statements do the same.
 *
 * <p>Called by the session extension, which puts them into a session. Knows nothing of files. Start
 * at {@link io.obelus.spark.plan.LookUpKeys}.
 */
package io.obelus.spark.plan;
