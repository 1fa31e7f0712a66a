"""One table: its rows, its upkeep, and what it is made of."""

import datetime as dt
import json
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from obelus import _pictures, _pruning
from obelus._errors import InvalidRequestError, short_errors
from obelus._merge import MergeBuilder, assignments
from obelus._names import Condition, dotted, is_path, parts_of, quoted, sql_of, text_literal
from obelus._progress import bar
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
from obelus._session import CATALOG, SESSION_CATALOG
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import StructType

Time = Union[dt.datetime, str]
_OURS = (CATALOG, SESSION_CATALOG)


class ObelusTable:
    """A table of Obelus; make one with ``create``, ``for_name`` or ``for_path``.

    Each call that writes is one snapshot, visible as a whole or not at all, and returns the newest snapshot.
    Where a condition or value is asked for, it is SQL text or a Column.

    >>> t = ObelusTable.create(spark, "obelus.docs.orders", "id BIGINT NOT NULL, total DOUBLE", primary_key="id",
    ...                        options={"bucket": 1})
    >>> t.upsert(spark.createDataFrame([(1, 10.0), (2, 20.0)], "id BIGINT, total DOUBLE")).id
    1
    >>> t.upsert(spark.createDataFrame([(2, 25.0), (3, 30.0)], "id BIGINT, total DOUBLE")).id
    2
    >>> t.update({"total": "total + 1"}, "id = 1").id
    3
    >>> [tuple(row) for row in t.df().orderBy("id").collect()]
    [(1, 11.0), (2, 25.0), (3, 30.0)]
    >>> obelus.read(spark, t.name, version=1).count()
    2
    >>> t.drop()
    """

    def __init__(self, spark: SparkSession, catalog: str, parts: Sequence[str]):
        """For those who know the catalog and that the table exists; ``parts``: databases and table, or one path."""
        self.spark = spark
        self._catalog = catalog
        self._parts = tuple(parts)

    # -- which one --

    @classmethod
    def create(
        cls,
        spark: SparkSession,
        name: str,
        columns: Union[str, StructType],
        *,
        primary_key: Union[str, Sequence[str]],
        partitioned_by: Union[str, Sequence[str]] = (),
        options: Optional[Mapping[str, Any]] = None,
        comment: Optional[str] = None,
        if_not_exists: bool = False,
    ) -> "ObelusTable":
        """Makes a table, and the database if that is missing.

        name: ``catalog.database.table``, or a path.
        columns: ``"id BIGINT NOT NULL, total DOUBLE"`` or a StructType. Partition columns belong to the key.
        options: the table's options, such as ``{"bucket": 8, "file-index.bitmap.columns": "country"}``.
        """
        keys = [primary_key] if isinstance(primary_key, str) else list(primary_key)
        partitions = [partitioned_by] if isinstance(partitioned_by, str) else list(partitioned_by)
        table = cls(spark, *_place(spark, name))
        with short_errors():
            java = spark._jsparkSession
            fields = java.parseDataType(columns.json()).toDDL() if isinstance(columns, StructType) else columns
            given = {"primary-key": ",".join(keys), **{k: _option(v) for k, v in (options or {}).items()}}
            pairs = ", ".join(f"{text_literal(k)} = {text_literal(v)}" for k, v in given.items())
            if len(table._parts) > 1:
                spark.sql(f"CREATE DATABASE IF NOT EXISTS {dotted([table._catalog, *table._parts[:-1]])}")
            spark.sql(
                f"CREATE TABLE {'IF NOT EXISTS ' if if_not_exists else ''}{table.sql_name} ({fields})"
                + (" USING obelus" if table._catalog == "spark_catalog" else "")
                + (f" PARTITIONED BY ({', '.join(map(quoted, partitions))})" if partitions else "")
                + (f" COMMENT {text_literal(comment)}" if comment else "")
                + f" TBLPROPERTIES ({pairs})"
            )
        return table

    @classmethod
    def for_name(cls, spark: SparkSession, name: str) -> "ObelusTable":
        """The table of a name as SQL has it; parts that are missing are the current catalog and database."""
        return cls(spark, *_place(spark, name))._found()

    @classmethod
    def for_path(cls, spark: SparkSession, path: str) -> "ObelusTable":
        """The table in a directory."""
        return cls(spark, _path_catalog(spark), [path if is_path(path) else f"./{path}"])._found()

    @property
    def name(self) -> str:
        """The name for a person, quoted only where it must be; for a table by path, the path."""
        if self.path is not None:
            return self.path
        return ".".join(p if p.isidentifier() and p.isascii() else quoted(p) for p in (self._catalog, *self._parts))

    @property
    def sql_name(self) -> str:
        """The name to be put into SQL."""
        return dotted([self._catalog, *self._parts])

    @property
    def path(self) -> Optional[str]:
        """The directory, if the table was asked for by path."""
        return self._parts[0] if len(self._parts) == 1 and is_path(self._parts[0]) else None

    def exists(self) -> bool:
        """Whether there is such a table, and it is ours."""
        try:
            self._system("options")
        except AnalysisException:
            return False
        return True

    def drop(self) -> None:
        """Deletes the table with all its files."""
        with short_errors():
            self.spark.sql(f"DROP TABLE {self.sql_name}")

    # -- rows --

    def df(self) -> DataFrame:
        """The rows as they are when the DataFrame is made."""
        with short_errors():
            return self.spark.table(self.sql_name)

    def upsert(self, rows: DataFrame, *, merge_schema: bool = False) -> Optional[Snapshot]:
        """Puts rows in: those whose key is there replace the row of that key. Columns go by name.

        merge_schema: whether the table gets columns that only the rows have, and wider types where theirs are wider;
            else such rows are an error.

        >>> t = ObelusTable.create(spark, "obelus.docs.grows", "id INT NOT NULL, a INT", primary_key="id",
        ...                        options={"bucket": 1})
        >>> t.upsert(spark.createDataFrame([(1, 2)], "id INT, a INT")).id
        1
        >>> t.upsert(spark.createDataFrame([(2, 3 << 40, "new")], "id INT, a LONG, b STRING"), merge_schema=True).id
        2
        >>> [tuple(row) for row in t.df().orderBy("id").collect()]
        [(1, 2, None), (2, 3298534883328, 'new')]
        >>> t.drop()
        """
        with short_errors(), bar(self.spark, "upsert"):
            if merge_schema:
                writer = rows.write.format("obelus").option("write.merge-schema", True)
                writer.mode("append").save(self.path or self.sql_name)
            else:
                rows.writeTo(self.sql_name).append()
        return self.snapshot()

    def delete(self, where: Condition) -> Optional[Snapshot]:
        """Deletes the rows for which the condition holds; ``"true"`` is all of them."""
        with short_errors(), bar(self.spark, "delete"):
            self.spark.sql(f"DELETE FROM {self.sql_name} WHERE {sql_of(where)}")
        return self.snapshot()

    def update(self, set: Mapping[str, Any], where: Optional[Condition] = None) -> Optional[Snapshot]:
        """Sets columns: ``update({"total": "total + 1"}, "id = 7")``. Text is SQL, so a string is ``"'text'"``."""
        text = f"UPDATE {self.sql_name} SET {assignments(self, set)}"
        with short_errors(), bar(self.spark, "update"):
            self.spark.sql(text if where is None else f"{text} WHERE {sql_of(where)}")
        return self.snapshot()

    def merge(
        self,
        source: Union[DataFrame, "ObelusTable", str],
        on: Union[Condition, Sequence[str], None] = None,
        *,
        target_alias: str = "t",
        source_alias: str = "s",
    ) -> MergeBuilder:
        """Begins a MERGE INTO; ``execute()`` of what it returns runs it.

        source: a DataFrame, a table, or a name for SQL.
        on: a condition about ``t`` (this table) and ``s`` (the source), or names of columns that must be equal;
            None = the primary key.

        >>> t = ObelusTable.create(spark, "obelus.docs.stock", "id INT NOT NULL, pieces INT", primary_key="id",
        ...                        options={"bucket": 1})
        >>> t.upsert(spark.createDataFrame([(1, 5), (2, 7)], "id INT, pieces INT")).id
        1
        >>> moved = spark.createDataFrame([(1, -5), (2, 1), (3, 4)], "id INT, pieces INT")
        >>> merge = (t.merge(moved)
        ...     .when_matched_delete("t.pieces + s.pieces = 0")
        ...     .when_matched_update({"pieces": "t.pieces + s.pieces"})
        ...     .when_not_matched_insert_all())
        >>> merge.execute().id
        2
        >>> [tuple(row) for row in t.df().orderBy("id").collect()]
        [(2, 8), (3, 4)]
        >>> t.drop()
        """
        return MergeBuilder(self, source, self.primary_key() if on is None else on, target_alias, source_alias)

    # -- upkeep --

    def compact(
        self,
        where: Optional[Condition] = None,
        *,
        strategy: str = "full",
        threshold: Optional[float] = None,
        dry_run: bool = False,
    ) -> Compaction:
        """Merges the files of each bucket, so that struck-out rows leave the disk.

        where: a condition over the partition columns.
        strategy: ``full``; ``minor``: only what is due; ``purge``: merges nothing, and rewrites only files of which
            more than ``threshold`` is struck out (0.05 = a twentieth; None = as the table's options say).
        """
        given = {
            "where": None if where is None else sql_of(where),
            "compact_strategy": strategy,
            "threshold": None if threshold is None else float(threshold),
            "dry_run": dry_run,
        }
        rows = self._call("compact", given)
        return Compaction(tuple(BucketCompaction(**row.asDict()) for row in rows))

    def expire_snapshots(
        self,
        *,
        retain_max: Optional[int] = None,
        retain_min: Optional[int] = None,
        older_than: Optional[Time] = None,
        max_deletes: Optional[int] = None,
        dry_run: bool = False,
    ) -> Expiry:
        """Deletes the oldest snapshots, and the files that no younger snapshot or tag needs."""
        given = {
            "retain_max": retain_max,
            "retain_min": retain_min,
            "older_than": older_than,
            "max_deletes": max_deletes,
            "dry_run": dry_run,
        }
        return Expiry(**self._call("expire_snapshots", given)[0].asDict())

    def rollback(
        self,
        version: Optional[int] = None,
        *,
        tag: Optional[str] = None,
        timestamp: Optional[Time] = None,
        dry_run: bool = False,
    ) -> Rollback:
        """Makes an older snapshot the newest: what was committed after it is gone. One of the three says which."""
        given = {"snapshot": version, "tag": tag, "timestamp": timestamp, "dry_run": dry_run}
        row = self._call("rollback", given)[0].asDict()
        return Rollback(**{**row, "tags_removed": tuple(row["tags_removed"])})

    def tag(self, name: str, version: Optional[int] = None, *, time_retained: Optional[str] = None) -> Tag:
        """Names a snapshot, the newest if none is given; it stays readable when it expires."""
        given = {"tag": name, "snapshot": version, "time_retained": time_retained}
        return Tag(**self._call("create_tag", given)[0].asDict())

    def rename_tag(self, name: str, target: str) -> Tag:
        """Gives a tag another name."""
        return Tag(**self._call("rename_tag", {"tag": name, "target_tag": target})[0].asDict())

    def delete_tag(self, name: str) -> Tag:
        """Deletes a tag; returns what it named."""
        row = self._call("delete_tag", {"tag": name})[0]
        return Tag(row.tag, row.snapshot_id)

    def branch(self, name: str) -> "ObelusTable":
        """A branch, which is read and written like a table."""
        parts = [*self._parts[:-1], f"{self._parts[-1]}$branch_{name}"]
        return ObelusTable(self.spark, self._catalog, parts)._found()

    def create_branch(self, name: str, tag: Optional[str] = None) -> "ObelusTable":
        """Begins a branch with what a tag holds; without a tag, with no rows."""
        self._call("create_branch", {"branch": name, "tag": tag})
        return self.branch(name)

    def fast_forward(self, branch: str, *, dry_run: bool = False) -> FastForward:
        """Makes the table what its branch is: what was committed to the table since the two parted is gone."""
        row = self._call("fast_forward", {"branch": branch, "dry_run": dry_run})[0].asDict()
        return FastForward(**{**row, "tags_removed": tuple(row["tags_removed"])})

    def delete_branch(self, name: str) -> None:
        """Deletes a branch; files that only it used stay until ``remove_orphan_files``."""
        self._call("delete_branch", {"branch": name})

    def remove_orphan_files(
        self, older_than: Optional[Time] = None, *, dry_run: bool = False
    ) -> Tuple[OrphanFile, ...]:
        """Deletes files that nothing refers to; keep ``older_than`` (a day ago) further back than any write takes."""
        rows = self._call("remove_orphan_files", {"older_than": older_than, "dry_run": dry_run})
        return tuple(OrphanFile(**row.asDict()) for row in rows)

    def verify(
        self,
        level: str = "metadata",
        *,
        sample: Optional[float] = None,
        version: Optional[Union[int, str]] = None,
        where: Optional[Condition] = None,
    ) -> Tuple[Finding, ...]:
        """Finds out whether the table is whole; each finding says what mends it. Empty if nothing is wrong.

        level: ``metadata``, or ``full``: the data files too, or a ``sample`` of them (0.1 = every tenth).
        version: a snapshot or tag, the newest snapshot if none is given. where: a condition over the partition
        columns; only there data files are read.
        """
        given = {
            "level": level,
            "sample": None if sample is None else float(sample),
            "version": None if version is None else str(version),
            "where": None if where is None else sql_of(where),
        }
        return tuple(Finding(**row.asDict()) for row in self._call("verify", given))

    # -- what it is made of --

    def snapshot(self) -> Optional[Snapshot]:
        """The newest snapshot; None before the first commit."""
        rows = self.history().tail(1)
        if not rows:
            return None
        row = rows[0]
        return Snapshot(
            row.snapshot_id, row.commit_kind, row.commit_time, row.total_record_count, row.delta_record_count
        )

    def history(self) -> DataFrame:
        """``t$snapshots``: one row for each commit that has not expired, oldest first."""
        return self._system("snapshots")

    def tags(self) -> DataFrame:
        """``t$tags``: names and the snapshots that they keep."""
        return self._system("tags")

    def branches(self) -> DataFrame:
        """``t$branches``: names of the branches."""
        return self._system("branches")

    def files(self, version: Optional[int] = None) -> DataFrame:
        """``t$files``: the live data files, of the newest snapshot or another."""
        return self._system("files", version)

    def levels(self, version: Optional[int] = None) -> DataFrame:
        """``t$levels``: files, rows and struck-out rows by bucket and level."""
        return self._system("levels", version)

    def deletion_bitmaps(self, version: Optional[int] = None) -> DataFrame:
        """``t$deletion_bitmaps``: how many rows of which data file are struck out."""
        return self._system("deletion_bitmaps", version)

    def indexes(self, version: Optional[int] = None) -> DataFrame:
        """``t$file_indexes``: the indexes of each data file, and why one is missing."""
        return self._system("file_indexes", version)

    def changes(self, after: Union[int, str], until: Union[int, str, None] = None) -> DataFrame:
        """``t$changes``: the rows that differ between two snapshots; ``_row_kind`` is ``+I``, ``-U``, ``+U`` or ``-D``.

        after: number of a snapshot or a tag; 0 = before the first one.
        until: the same; None = the newest snapshot.

        >>> t = ObelusTable.create(spark, "obelus.docs.prices", "id INT NOT NULL, price INT", primary_key="id",
        ...                        options={"bucket": 1})
        >>> t.upsert(spark.createDataFrame([(1, 10), (2, 20)], "id INT, price INT")).id
        1
        >>> t.upsert(spark.createDataFrame([(2, 25), (3, 30)], "id INT, price INT")).id
        2
        >>> [tuple(row) for row in t.changes(after=1).orderBy("id", "_row_kind").collect()]
        [('+U', 2, 25), ('-U', 2, 20), ('+I', 3, 30)]
        >>> t.drop()
        """
        if until is None:
            newest = self.snapshot()
            until = newest.id if newest else 0
        name = dotted([self._catalog, *self._parts[:-1], f"{self._parts[-1]}$changes"])
        with short_errors():
            return self.spark.read.option("incremental-between", f"{after},{until}").table(name)

    def options(self) -> Dict[str, str]:
        """The options that the table keeps."""
        return {row[0]: row[1] for row in self._system("options").collect()}

    def primary_key(self) -> List[str]:
        """The columns of the key; empty for a table without one."""
        row = self._system("schemas").orderBy("schema_id", ascending=False).first()
        return list(json.loads(row.primary_keys)) if row is not None and row.primary_keys else []

    def plot_layout(self, version: Optional[int] = None) -> "_pictures.Picture":
        """Draws each data file in its bucket and level, live rows against struck-out ones; text in a terminal."""
        return _pictures.layout(self, version)

    def plot_history(self, last: int = 50) -> "_pictures.Picture":
        """Draws rows, bytes and files over the last so many snapshots; text in a terminal."""
        return _pictures.history(self, last)

    def plot_pruning(self, query: Union[DataFrame, str]) -> "_pictures.Picture":
        """Runs a query, and draws what skipped files, each kind of index and bitmaps spared it; text in a terminal.

        query: a DataFrame that reads this table, or SQL text. Its rows are counted, not returned.

        >>> t = ObelusTable.create(spark, "obelus.docs.towns", "id INT NOT NULL, town STRING", primary_key="id",
        ...                        options={"bucket": 1, "file-index.bitmap.columns": "town"})
        >>> t.upsert(spark.range(1000).selectExpr("CAST(id AS INT) AS id", "concat('town ', id % 20) AS town")).id
        1
        >>> t.delete("id < 500").id
        2
        >>> t.plot_pruning(t.df().where("town = 'town 7'"))  # doctest: +ELLIPSIS
        obelus.docs.towns, snapshot 2: 25 rows left of 1,000 stored
        ...
        left out by bitmap index        |  ......|  950 rows (95 %)
        ...
        >>> t.drop()
        """
        return _pruning.pruning(self, query)

    def __repr__(self) -> str:
        return f"<ObelusTable {self.name}>"

    # -- how --

    def _system(self, word: str, version: Optional[int] = None) -> DataFrame:
        name = dotted([self._catalog, *self._parts[:-1], f"{self._parts[-1]}${word}"])
        with short_errors():
            at = "" if version is None else f" VERSION AS OF {int(version)}"
            return self.spark.sql(f"SELECT * FROM {name}{at}")

    def _call(self, procedure: str, given: Mapping[str, Any]) -> List[Row]:
        # The source's name stands for "a path" where a name of one part would be looked for in a database.
        parts = ["obelus", *self._parts] if self.path is not None else list(self._parts)
        arguments = {"table": dotted(parts), **{k: v for k, v in given.items() if v is not None}}
        text = ", ".join(f"{name} => {_argument(value)}" for name, value in arguments.items())
        with short_errors(), bar(self.spark, procedure):
            return self.spark.sql(f"CALL {quoted(self._catalog)}.sys.{procedure}({text})").collect()

    def _found(self) -> "ObelusTable":
        if not self.exists():
            raise InvalidRequestError(f"there is no Obelus table {self.name}")
        return self


def read(
    spark: SparkSession, name_or_path: str, *, version: Optional[int] = None, tag: Optional[str] = None
) -> DataFrame:
    """The rows of a table, now or at a snapshot or tag.

    A name with a slash is a path.
    """
    if version is not None and tag is not None:
        raise InvalidRequestError("read: give 'version' or 'tag', not both")
    reader = spark.read
    if version is not None:
        reader = reader.option("scan.snapshot-id", str(int(version)))
    if tag is not None:
        reader = reader.option("scan.tag-name", tag)
    with short_errors():
        return reader.format("obelus").load(name_or_path) if is_path(name_or_path) else reader.table(name_or_path)


def _place(spark: SparkSession, name: str) -> Tuple[str, List[str]]:
    """The catalog and the rest of a table's name; a name with a slash is a path."""
    if is_path(name) and "`" not in name:
        return _path_catalog(spark), [name]
    with short_errors():
        parts = parts_of(spark, name)
        if len(parts) > 1 and spark.conf.get(f"spark.sql.catalog.{parts[0]}", None) is not None:
            return parts[0], parts[1:]
        if len(parts) > 1 and parts[0] == "spark_catalog":
            return parts[0], parts[1:]
        current = spark.catalog.currentCatalog()
        return current, parts if len(parts) > 1 else [spark.catalog.currentDatabase(), *parts]


def _path_catalog(spark: SparkSession) -> str:
    """A catalog of ours; any will do for a path."""
    pairs = {row.key: row.value for row in spark.sql("SET").collect()}
    for key, value in sorted(pairs.items()):
        if key.startswith("spark.sql.catalog.") and value in _OURS:
            return str(key[len("spark.sql.catalog.") :])
    raise InvalidRequestError("this session has no catalog of Obelus; start it with obelus.session()")


def _option(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _argument(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, dt.datetime):
        return sql_of(value)
    return text_literal(str(value))
