"""Primary-key tables for PySpark: an insert is an upsert, a read is a plain scan minus the struck-out rows.

>>> import obelus
>>> spark = obelus.session()
>>> t = obelus.ObelusTable.create(spark, "obelus.docs.people", "id INT NOT NULL, name STRING", primary_key="id")
>>> t.upsert(spark.createDataFrame([(1, "Ada"), (2, "Ben")], "id INT, name STRING"))  # doctest: +ELLIPSIS
<snapshot 1: APPEND of ..., 2 rows stored>
>>> t.merge(spark.createDataFrame([(2, "Bea")], "id INT, name STRING")).when_matched_update_all().execute().id
2
>>> obelus.read(spark, "obelus.docs.people").orderBy("id").toPandas()
   id name
0   1  Ada
1   2  Bea
>>> t.drop()

All work is done in the jar; there is nothing here that SQL or DataFrames could not do.
"""

from obelus._errors import (
    CommitConflictError,
    CorruptFileError,
    InvalidRequestError,
    ObelusError,
    UnknownVersionError,
)
from obelus._merge import MergeBuilder
from obelus._pictures import Picture
from obelus._progress import progress
from obelus._results import (
    BucketCompaction,
    Compaction,
    Expiry,
    FastForward,
    Finding,
    OrphanFile,
    Rollback,
    Snapshot,
    Tag,
)
from obelus._session import configure, jar, session
from obelus._table import ObelusTable, read

__all__ = [
    "BucketCompaction",
    "CommitConflictError",
    "Compaction",
    "CorruptFileError",
    "Expiry",
    "FastForward",
    "Finding",
    "InvalidRequestError",
    "MergeBuilder",
    "ObelusError",
    "ObelusTable",
    "OrphanFile",
    "Picture",
    "Rollback",
    "Snapshot",
    "Tag",
    "UnknownVersionError",
    "configure",
    "jar",
    "progress",
    "read",
    "session",
]
