/**
 * Work on a whole table that keeps it in shape: plan, run on each bucket, commit.
 *
 * <p>Called by writes and procedures. Start at {@link io.obelus.core.table.maintenance.TableTasks}.
 */
package io.obelus.core.table.maintenance;
