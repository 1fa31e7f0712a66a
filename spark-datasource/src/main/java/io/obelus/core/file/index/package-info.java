/**
 * The file indexes of a data file, kept together in one container: {@link
 * io.obelus.core.file.index.FileIndexFormat} knows its bytes.
 *
 * <p>The kinds of index live in the packages below and know nothing of the container; which bytes
 * are whose is said here. Knows neither data files nor deletions. Start at {@link
 * io.obelus.core.file.index.FileIndexFormat}.
 */
package io.obelus.core.file.index;
