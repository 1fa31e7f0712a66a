/**
 * What tests of several packages share: seeds, storages that break, tables written by others.
 *
 * <p>Used by tests only, those of {@code spark-procedures} included. Start at {@link Seeds}.
 */
package io.obelus.testing;
