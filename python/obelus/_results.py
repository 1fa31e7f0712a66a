"""What calls return: small records that read well in a terminal and in a notebook."""

import dataclasses
import datetime as dt
import html
from typing import Any, Dict, List, Optional, Tuple

MOST_LINES = 50  # of a table in a notebook


def count(number: Optional[int], noun: str) -> str:
    """``1 row``, ``2,000 rows``, ``? rows``."""
    if number is None:
        return f"? {noun}s"
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def size(number: Optional[float]) -> str:
    """Bytes for a person: ``512 B``, ``1.5 MB`` (a thousand of one is one of the next)."""
    if number is None:
        return "? B"
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


class _Shown:
    """A sentence in a terminal, a table of its fields in a notebook."""

    def __repr__(self) -> str:
        return f"<{self}>"

    def _repr_html_(self) -> str:
        fields: Dict[str, Any] = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]
        lists = {k: v for k, v in fields.items() if v and isinstance(v, tuple) and dataclasses.is_dataclass(v[0])}
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(k.replace('_', ' '))}</th>"
            f"<td style='text-align:left'>{_cell(v)}</td></tr>"
            for k, v in fields.items()
            if k not in lists
        )
        tables = "".join(_table(v) for v in lists.values())
        return f"<b>{html.escape(str(self))}</b>" + (f"<table>{cells}</table>" if cells else "") + tables


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, dt.datetime):
        return value.isoformat(" ", "milliseconds")
    if isinstance(value, tuple):
        return html.escape(", ".join(str(part) for part in value))
    return html.escape(str(value))


def _table(records: Tuple[Any, ...]) -> str:
    names = [f.name for f in dataclasses.fields(records[0])]
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(getattr(record, name))}</td>" for name in names) + "</tr>"
        for record in records[:MOST_LINES]
    )
    more = len(records) - MOST_LINES
    return f"<table><tr>{head}</tr>{rows}</table>" + (f"<p>and {more:,} more</p>" if more > 0 else "")


@dataclasses.dataclass(frozen=True, repr=False)
class Snapshot(_Shown):
    """One commit. Rows are counted as stored: struck-out ones are among them."""

    id: int
    kind: str
    time: dt.datetime
    total_rows: Optional[int]
    delta_rows: Optional[int]

    def __str__(self) -> str:
        return (
            f"snapshot {self.id}: {self.kind} of {self.time:%Y-%m-%d %H:%M:%S}, {count(self.total_rows, 'row')} stored"
        )


@dataclasses.dataclass(frozen=True)
class BucketCompaction(_Shown):
    """What compaction did to one bucket; the values afterwards are None in a dry run."""

    partition: Optional[str]
    bucket: int
    files_before: int
    files_after: Optional[int]
    bytes_before: int
    bytes_after: Optional[int]
    rows_struck_out: Optional[int]
    rows_purged: Optional[int]


@dataclasses.dataclass(frozen=True, repr=False)
class Compaction(_Shown):
    """What compaction did, bucket by bucket."""

    buckets: Tuple[BucketCompaction, ...]

    def total(self, column: str) -> Optional[int]:
        """The sum of a column over the buckets; None if it is not known."""
        values: List[Optional[int]] = [getattr(bucket, column) for bucket in self.buckets]
        return None if None in values else sum(v for v in values if v is not None)

    def __str__(self) -> str:
        before, after = self.total("files_before"), self.total("files_after")
        sizes = size(self.total("bytes_before")), size(self.total("bytes_after"))
        if after is None:
            return f"compaction, dry run: {count(len(self.buckets), 'bucket')}, {count(before, 'file')}, {sizes[0]}"
        return (
            f"compaction: {count(len(self.buckets), 'bucket')}, {count(before, 'file')} became {after:,}, "
            f"{sizes[0]} became {sizes[1]}, {count(self.total('rows_purged'), 'struck-out row')} gone"
        )


@dataclasses.dataclass(frozen=True, repr=False)
class Expiry(_Shown):
    """Which snapshots expired, and what was deleted with them."""

    deleted_snapshots_count: int
    first_snapshot_id: Optional[int]
    last_snapshot_id: Optional[int]
    deleted_data_files_count: int
    deleted_index_files_count: int
    deleted_metadata_files_count: int
    deleted_bytes: int

    def __str__(self) -> str:
        return (
            f"expired: {count(self.deleted_snapshots_count, 'snapshot')}, "
            f"{count(self.deleted_data_files_count, 'data file')}, {size(self.deleted_bytes)}"
        )


@dataclasses.dataclass(frozen=True, repr=False)
class Rollback(_Shown):
    """Which snapshot is the newest now, and what went."""

    previous_snapshot_id: int
    current_snapshot_id: int
    snapshots_removed: int
    tags_removed: Tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"rolled back from snapshot {self.previous_snapshot_id} to {self.current_snapshot_id}: "
            f"{count(self.snapshots_removed, 'snapshot')} and {count(len(self.tags_removed), 'tag')} removed"
        )


@dataclasses.dataclass(frozen=True, repr=False)
class FastForward(_Shown):
    """The snapshot of the branch that is the table's newest now, and what of the table's own went."""

    previous_snapshot_id: int
    current_snapshot_id: int
    snapshots_removed: int
    tags_removed: Tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"went forward from snapshot {self.previous_snapshot_id} to {self.current_snapshot_id} of the branch: "
            f"{count(self.snapshots_removed, 'snapshot')} and {count(len(self.tags_removed), 'tag')} removed"
        )


@dataclasses.dataclass(frozen=True, repr=False)
class Tag(_Shown):
    """A name for a snapshot."""

    tag: str
    snapshot_id: int

    def __str__(self) -> str:
        return f"tag {self.tag}: snapshot {self.snapshot_id}"


@dataclasses.dataclass(frozen=True)
class OrphanFile(_Shown):
    """A file that nothing refers to."""

    file: str
    bytes: int
    modified: dt.datetime

    def __str__(self) -> str:
        return f"{self.file}: {size(self.bytes)}"


@dataclasses.dataclass(frozen=True)
class Finding(_Shown):
    """One fault of a table, where it is, and the statement that mends it."""

    severity: str
    check: str
    partition: Optional[str]
    bucket: Optional[int]
    file: Optional[str]
    position: Optional[int]
    message: str
    remedy: str

    def __str__(self) -> str:
        place = "" if self.file is None else f" {self.file}"
        row = "" if self.position is None else f", row {self.position}"
        return f"{self.severity} {self.check}:{place}{row}: {self.message}. {self.remedy}"
