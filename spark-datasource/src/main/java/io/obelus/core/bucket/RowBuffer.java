package io.obelus.core.bucket;

import io.obelus.core.row.RowType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Keeps a copy of one row at a time in a buffer that grows but is never given up. Not thread-safe.
 */
final class RowBuffer {

  private final UnsafeProjection toUnsafe;
  private final UnsafeRow row;
  private byte[] buffer = new byte[1024];

  RowBuffer(RowType type) {
    toUnsafe = UnsafeProjection.create(type.toSpark());
    row = new UnsafeRow(type.size());
  }

  /** Copies a row in; what was there is gone. */
  void set(InternalRow source) {
    UnsafeRow unsafe = source instanceof UnsafeRow given ? given : toUnsafe.apply(source);
    int size = unsafe.getSizeInBytes();
    if (size > buffer.length) {
      buffer = new byte[Math.max(size, 2 * buffer.length)];
    }
    unsafe.writeToMemory(buffer, Platform.BYTE_ARRAY_OFFSET);
    row.pointTo(buffer, size);
  }

  /** The row copied in last. */
  InternalRow row() {
    return row;
  }
}
