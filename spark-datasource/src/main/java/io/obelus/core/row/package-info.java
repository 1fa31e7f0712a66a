/**
 * Rows, their types and their keys: the binary form of metadata, order, hash and bucket of a key,
 * conditions over columns, and how all of these meet Spark's own rows and types.
 *
 * <p>Called by every other package of the core. Knows no file: whoever reads bytes says where they
 * came from when something here finds them damaged. Start at {@link io.obelus.core.row.RowType} and
 * {@link io.obelus.core.row.BinaryRows}.
 */
package io.obelus.core.row;
