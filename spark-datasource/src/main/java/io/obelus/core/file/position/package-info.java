/**
 * Sets of row positions of one data file: {@link Positions}, which grows while a bucket is written,
 * and {@link RowSelection}, which says what a scan returns.
 *
 * <p>Called by every package that reads or writes a data file, an index or a deletion bitmap. Knows
 * no file: {@link RoaringFormat} turns a set into bytes and back, and where those bytes stand is
 * said by the packages that store them. Start at {@link RowSelection}.
 */
package io.obelus.core.file.position;
