/**
 * Where files are kept, and what goes wrong with them: opening a range, claiming a name, listing,
 * deleting; places and the exceptions of every format.
 *
 * <p>Called by everybody who touches a file. Knows no format and no other package of ours. Start at
 * {@link io.obelus.core.io.Storage}; {@link io.obelus.core.io.HadoopStorage} is the one that is
 * used.
 */
package io.obelus.core.io;
