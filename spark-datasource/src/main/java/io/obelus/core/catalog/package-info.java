/**
 * The databases and tables of a warehouse directory: found, made, changed, moved and deleted.
 *
 * <p>Called by the Spark catalogs and by procedures. Knows no Spark session. Start at {@link
 * io.obelus.core.catalog.FileSystemCatalog}.
 */
package io.obelus.core.catalog;
