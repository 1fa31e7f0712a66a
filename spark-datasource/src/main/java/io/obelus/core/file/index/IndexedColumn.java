package io.obelus.core.file.index;

import io.obelus.core.file.index.kind.IndexOptions;
import io.obelus.core.row.ColumnType;
import java.io.Serializable;

/**
 * A column, or one key of a map column, that has an index of one kind.
 *
 * @param name as the container calls it: {@code city}, or {@code props[colour]}
 * @param ordinal of the column in the table's row
 * @param key of the map whose values are indexed; null if the column itself is
 * @param kind name of the kind
 * @param type of the values
 */
public record IndexedColumn(
    String name, int ordinal, String key, String kind, ColumnType type, IndexOptions options)
    implements Serializable {}
