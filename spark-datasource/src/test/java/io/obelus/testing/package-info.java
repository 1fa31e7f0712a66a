/**
 * What tests of several packages share: seeds, storages that break, tables written by others.
 *
 * <p>Whatever tables a test makes on the disk are verified after it, and before a statement drops
 * or replaces one: {@link io.obelus.testing.WholeTables} watches the directories that tests get. A
 * test that damages tables on purpose is marked with {@link io.obelus.testing.DamagesTables}.
 *
 * <p>Used by tests only, those of {@code spark-procedures} included. Start at {@link Seeds}.
 */
package io.obelus.testing;
