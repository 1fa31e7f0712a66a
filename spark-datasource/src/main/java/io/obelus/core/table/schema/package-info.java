/**
 * The schema of a table: its files, what its options mean, how a new one is made, and the partition
 * directories that follow from it.
 *
 * <p>Called by whoever has a table. Knows files and row types, no manifest and no snapshot. Start
 * at {@link io.obelus.core.table.schema.TableSchema}; the bytes are in {@link
 * io.obelus.core.table.schema.SchemaFormat}.
 */
package io.obelus.core.table.schema;
