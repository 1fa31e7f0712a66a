"""Pictures of a table: where its rows lie, and how it grew.

Colours are told apart by people who see fewer of them (blue and orange of Okabe and Ito), and struck-out rows
are hatched besides. Nothing here touches a screen: a Picture is drawn when a notebook or ``save`` asks for it.
"""

import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from obelus._errors import ObelusError
from obelus._results import count, size

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from obelus._table import ObelusTable

LIVE, STRUCK, LINE = "#0072B2", "#E69F00", "#333333"
MOST_LANES = 40
BAR = 48  # characters of the longest lane in text


class Picture:
    """A picture that shows itself in a notebook, as text in a terminal, and ``save`` puts into a file."""

    def __init__(self, text: str, draw: "Callable[[], Figure]"):
        self._text, self._draw = text, draw
        self._figure: "Optional[Figure]" = None

    @property
    def figure(self) -> "Figure":
        """The matplotlib figure, to be changed at will."""
        if self._figure is None:
            try:
                import matplotlib  # noqa: F401
            except ImportError as error:
                raise ObelusError("Pictures need matplotlib: pip install 'obelus[pictures]'") from error
            self._figure = self._draw()
        return self._figure

    def save(self, path: "Union[str, os.PathLike[str]]", dpi: int = 150) -> None:
        """Writes it to a file; the ending says in which format: png, svg, pdf."""
        self.figure.savefig(path, dpi=dpi)

    def _repr_png_(self) -> Optional[bytes]:
        from io import BytesIO

        try:
            figure = self.figure
        except ObelusError:
            return None  # the notebook falls back to the text
        out = BytesIO()
        figure.savefig(out, format="png", dpi=110)
        return out.getvalue()

    def __repr__(self) -> str:
        return self._text


class _File(NamedTuple):
    rows: int
    struck_out: int
    bytes: int


class _Lane(NamedTuple):
    """The files of one level of one bucket."""

    partition: str
    bucket: int
    level: int
    files: Tuple[_File, ...]

    @property
    def rows(self) -> int:
        return sum(file.rows for file in self.files)

    @property
    def struck_out(self) -> int:
        return sum(file.struck_out for file in self.files)


def layout(table: "ObelusTable", version: Optional[int]) -> Picture:
    struck = {
        row.file_path: row.struck_out_count
        for row in table.deletion_bitmaps(version).select("file_path", "struck_out_count").collect()
    }
    found: Dict[Tuple[str, int, int], List[_File]] = {}
    for row in sorted(table.files(version).collect(), key=lambda row: (_key_order(row.min_key or ""), row.file_path)):
        file = _File(row.record_count, struck.get(row.file_path, 0), row.file_size_in_bytes)
        found.setdefault((row.partition or "", row.bucket, row.level), []).append(file)
    lanes = [_Lane(*where, tuple(files)) for where, files in sorted(found.items())]
    newest = table.snapshot()
    number = version if version is not None else (newest.id if newest else None)
    files = sum(len(lane.files) for lane in lanes)
    gone = sum(lane.struck_out for lane in lanes)
    stored = sum(lane.rows for lane in lanes)
    title = f"{short_name(table)}, " + (f"snapshot {number}" if number is not None else "no snapshot yet")
    told = f"{count(files, 'file')}, {count(stored - gone, 'live row')}, {gone:,} struck out"
    shown = lanes[:MOST_LANES]
    if len(lanes) > len(shown):
        told += f" (the first {MOST_LANES} of {len(lanes)} levels are drawn)"
    return Picture(_layout_text(title, told, shown), lambda: _draw_layout(title, told, shown))


def _key_order(key: str) -> List[Tuple[int, str]]:
    """What sorts the text of keys as the keys are sorted: numbers in it by what they are worth.

    >>> sorted(["[1500]", "[500]", "[-3]"], key=_key_order)
    ['[-3]', '[500]', '[1500]']
    """
    parts = re.split(r"(?<![\w.])(-?\d+)\b", key)
    return [(int(part), "") if i % 2 else (0, part) for i, part in enumerate(parts)]


def short_name(table: "ObelusTable") -> str:
    return table.name.rstrip("/").rsplit("/", 1)[-1] if table.path else table.name


def _label(lane: _Lane) -> str:
    where = f"{lane.partition}  " if lane.partition not in ("", "{}", "[]") else ""
    return f"{where}bucket {lane.bucket}, level {lane.level}"


def _layout_text(title: str, told: str, lanes: List[_Lane]) -> str:
    lines = [title, told]
    most = max((lane.rows for lane in lanes), default=0)
    wide = max((len(_label(lane)) for lane in lanes), default=0)
    for lane in lanes:
        boxes = ""
        for file in lane.files:
            cells = max(1, round(BAR * file.rows / most)) if most else 1
            # A file with a row struck out shows it, however few they are.
            gone = min(cells, max(1, round(cells * file.struck_out / file.rows))) if file.struck_out else 0
            boxes += "[" + "#" * (cells - gone) + "." * gone + "]"
        lines.append(f"{_label(lane):<{wide}}  {boxes}  {lane.rows:,}")
    lines.append("[ ] a file   # live rows   . struck-out rows; at the end: rows as stored")
    return "\n".join(lines)


def _draw_layout(title: str, told: str, lanes: List[_Lane]) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(9, 1.9 + 0.42 * max(1, len(lanes))), layout="constrained")
    axes = figure.add_subplot()
    most = max((lane.rows for lane in lanes), default=1)
    for y, lane in enumerate(lanes):
        left = 0
        for file in lane.files:
            live = file.rows - file.struck_out
            axes.barh(y, live, left=left, height=0.7, color=LIVE)
            axes.barh(
                y,
                file.struck_out,
                left=left + live,
                height=0.7,
                color=STRUCK,
                hatch="////",
                edgecolor="white",
                linewidth=0,
            )
            if left:
                axes.vlines(left, y - 0.35, y + 0.35, color="white", linewidth=1.5)
            left += file.rows
        # Few rows among many would be thinner than a pixel.
        first = lane.files[0]
        axes.vlines(0, y - 0.35, y + 0.35, color=LIVE if first.struck_out < first.rows else STRUCK, linewidth=2)
        axes.text(
            left + most * 0.01,
            y,
            f"{count(len(lane.files), 'file')}, {size(sum(f.bytes for f in lane.files))}",
            va="center",
            fontsize=8,
            color=LINE,
        )
        # A line parts the buckets, so that the levels of one are seen together.
        if y and (lane.partition, lane.bucket) != (lanes[y - 1].partition, lanes[y - 1].bucket):
            axes.axhline(y - 0.5, color="#bbbbbb", linewidth=0.8)
    axes.set_yticks(range(len(lanes)), [_label(lane) for lane in lanes], fontsize=9)
    axes.set_ylim(max(1, len(lanes)) - 0.5, -0.5)
    axes.set_xlim(0, most * 1.22)
    axes.set_xlabel("rows as stored")
    thousands(axes.xaxis)
    axes.set_title(f"{title}\n{told}", loc="left", fontsize=11)
    bare(axes)
    figure.legend(
        handles=[
            Patch(color=LIVE, label="live"),
            Patch(facecolor=STRUCK, hatch="////", edgecolor="white", label="struck out by a bitmap"),
        ],
        loc="outside lower right",
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    return figure


class _Point(NamedTuple):
    snapshot: int
    kind: str
    files: int
    rows: int
    struck_out: int
    bytes: int


def history(table: "ObelusTable", last: int) -> Picture:
    commits = table.history().orderBy("snapshot_id").select("snapshot_id", "commit_kind").tail(last)
    points = [_point(table, row.snapshot_id, row.commit_kind) for row in commits]
    title = f"{short_name(table)}: {count(len(points), 'snapshot')}" + (
        f", {points[0].snapshot} to {points[-1].snapshot}" if points else ""
    )
    return Picture(_history_text(title, points), lambda: _draw_history(title, points))


def _point(table: "ObelusTable", snapshot: int, kind: str) -> _Point:
    # One row for each level of a bucket, computed by the driver: summing here saves a job for each snapshot.
    rows = table.levels(snapshot).collect()
    return _Point(
        snapshot,
        kind,
        sum(row.file_count for row in rows),
        sum(row.record_count for row in rows),
        sum(row.struck_out_count or 0 for row in rows),
        sum(row.file_size_in_bytes for row in rows),
    )


def _history_text(title: str, points: List[_Point]) -> str:
    head = ("snapshot", "commit", "live rows", "struck out", "files", "bytes")
    cells = [
        (str(p.snapshot), p.kind, f"{p.rows - p.struck_out:,}", f"{p.struck_out:,}", f"{p.files:,}", size(p.bytes))
        for p in points
    ]
    wide = [max(len(row[i]) for row in [head, *cells]) for i in range(len(head))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, wide)) for row in [head, *cells]]
    return "\n".join([title, *lines])


def _draw_history(title: str, points: List[_Point]) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    figure = Figure(figsize=(9, 6.5), layout="constrained")
    rows, sizes, files = figure.subplots(3, 1, sharex=True, height_ratios=(2, 1, 1))
    at = [p.snapshot for p in points]
    live = [p.rows - p.struck_out for p in points]
    rows.bar(at, live, color=LIVE, label="live")
    rows.bar(
        at,
        [p.struck_out for p in points],
        bottom=live,
        color=STRUCK,
        hatch="////",
        edgecolor="white",
        linewidth=0,
        label="struck out by a bitmap",
    )
    rows.set_ylabel("rows as stored")
    thousands(rows.yaxis)
    sizes.bar(at, [p.bytes for p in points], color="#009E73")
    sizes.set_ylabel("data files, bytes")
    sizes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: size(value)))
    files.bar(at, [p.files for p in points], color="#CC79A7")
    files.set_ylabel("data files")
    files.yaxis.set_major_locator(MaxNLocator(integer=True))
    files.set_xlabel("snapshot (* = compaction)")
    marks = {p.snapshot: f"{p.snapshot}*" if p.kind == "COMPACT" else str(p.snapshot) for p in points}
    if 0 < len(at) <= 25:
        files.set_xticks(at, [marks[s] for s in at])
    else:
        files.xaxis.set_major_locator(MaxNLocator(integer=True))
        files.xaxis.set_major_formatter(FuncFormatter(lambda value, _: marks.get(int(value), f"{value:.0f}")))
    for axes in (rows, sizes, files):
        bare(axes)
        axes.set_axisbelow(True)
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    figure.align_ylabels()
    figure.suptitle(title, fontsize=12)
    figure.legend(*rows.get_legend_handles_labels(), loc="outside lower right", ncols=2, frameon=False, fontsize=9)
    return figure


def thousands(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def bare(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
