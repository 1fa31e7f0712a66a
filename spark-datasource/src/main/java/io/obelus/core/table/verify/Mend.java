package io.obelus.core.table.verify;

/** What mends a fault; {@link Remedies} makes a statement of it. */
enum Mend {
  /** Going back to a snapshot without the file that the fault is about. */
  ROLLBACK,
  /** Reading all rows and writing them anew: the rows are right, what is said of them is not. */
  OVERWRITE,
  /** Merging the bucket. */
  COMPACT,
  /** Making the missing indexes. */
  FILE_INDEX,
  /** Making all indexes anew. */
  FILE_INDEX_ANEW,
  /** Rewriting the manifests. */
  COMPACT_MANIFEST,
  /** Computing statistics anew. */
  ANALYZE,
  /** Writing hint LATEST, whose right value is the subject. */
  LATEST,
  /** Expiring all snapshots but so many as the subject says. */
  EXPIRE,
  /** Deleting the tag that is the subject. */
  DELETE_TAG,
  /** Nothing but a copy of the file that is the subject. */
  RESTORE
}
