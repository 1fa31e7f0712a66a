"""What a query did not have to read: the rows that skipped files, indexes and bitmaps took out of a scan.

The numbers are those that the scan itself reports: its line in EXPLAIN, and its metrics once the query has run.
"""

import re
import textwrap
from typing import TYPE_CHECKING, Any, Iterator, List, NamedTuple, Optional, Tuple, Union

from obelus._errors import InvalidRequestError, short_errors
from obelus._pictures import BAR, LINE, LIVE, STRUCK, Picture, bare, short_name, thousands
from obelus._progress import bar
from obelus._results import count
from pyspark.sql import DataFrame

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from obelus._table import ObelusTable

STORED, SKIPPED, INDEXED, DROPPED = "#BBBBBB", "#56B4E9", "#009E73", "#CC79A7"
KINDS = {"bitmap": "Bitmap", "bsi": "Bsi", "range-bitmap": "RangeBitmap", "bloom-filter": "BloomFilter"}
WIDTH = 76  # characters of a title
# Between a scan and the filter above it.
_BETWEEN = ("WholeStageCodegen", "InputAdapter", "ColumnarToRow", "Project")
_TOLD = re.compile(
    r"\[snapshot (\d+), files \d+ of (\d+), rows (\d+) of (\d+)(.*?), bitmaps \d+, rows struck out \d+"
    r"(?:, condition (.*?))?(?:, answered by bitmap indexes (.*?))?(?:, limit \d+)?, columns \[",
    re.S,
)
_AFTER = re.compile(r", after ([a-z ]+) files (\d+) rows (\d+)")


class _Step(NamedTuple):
    """Rows that one thing took out, of those which the things before it had left."""

    label: str
    rows: int
    colour: str
    hatch: str = ""


class _Scan(NamedTuple):
    snapshot: int
    condition: str
    stored: int
    steps: Tuple[_Step, ...]

    @property
    def left(self) -> int:
        return self.stored - sum(step.rows for step in self.steps)


def pruning(table: "ObelusTable", query: Union[DataFrame, str]) -> Picture:
    with short_errors():
        rows = table.spark.sql(query) if isinstance(query, str) else query
        asked = rows.select("*")._jdf.queryExecution()  # one of its own: metrics of an earlier run would count too
        ours = table.df()._jdf.queryExecution().analyzed().collectLeaves().apply(0).table().name()
        if ours not in [leaf.table().name() for leaf in _leaves(asked.analyzed()) if _is_relation(leaf)]:
            raise InvalidRequestError(f"plot_pruning: the query does not read {table.name}")
        with bar(table.spark, "query"):
            asked.toRdd().count()
        nodes = [(node, kept) for node, kept in _scans(asked.executedPlan(), None) if node.table().name() == ours]
        scans = [scan for scan in (_scan(node, kept) for node, kept in nodes) if scan]
    name = short_name(table)
    return Picture(_text(name, scans), lambda: _draw(name, scans))


def _leaves(plan: Any) -> List[Any]:
    found = plan.collectLeaves()
    return [found.apply(i) for i in range(found.size())]


def _is_relation(leaf: Any) -> bool:
    return str(leaf.getClass().getSimpleName()) in ("DataSourceV2Relation", "StreamingDataSourceV2Relation")


def _scans(plan: Any, kept: Optional[int]) -> Iterator[Tuple[Any, Optional[int]]]:
    """The scans below a plan that has run, each with how many of its rows passed the filter just above it."""
    name = str(plan.nodeName())
    if name.startswith("BatchScan"):
        if str(plan.scan().getClass().getName()) == "io.obelus.spark.read.ObelusScan":
            yield plan, kept
        return
    if name == "AdaptiveSparkPlan":
        yield from _scans(plan.executedPlan(), kept)
    elif name.endswith("QueryStage"):
        yield from _scans(plan.plan(), None)
    if name == "Filter":
        kept = int(plan.metrics().apply("numOutputRows").value())
    elif not name.startswith(_BETWEEN):
        kept = None
    for below in (plan.children(), plan.subqueries()):
        for i in range(below.size()):
            yield from _scans(below.apply(i), kept)


def _scan(node: Any, kept: Optional[int]) -> Optional[_Scan]:
    told = _TOLD.search(str(node.scan().description()))
    if told is None:
        return None  # a table without a snapshot
    snapshot, files, in_files, stored = (int(group) for group in told.groups()[:4])
    metrics = node.metrics()

    def metric(name: str) -> int:
        return int(metrics.apply(name).value())

    left_out = metric("obelusRowsLeftOut")
    by_kind = {kind: metric(f"obelusRowsLeftOutBy{word}") for kind, word in KINDS.items()}
    struck_out = metric("obelusRowsStruckOut")
    handed = metric("numOutputRows")
    steps = list(_skipped(files, stored, told.group(5)))
    steps += [_Step(f"left out by {kind} index", rows, INDEXED, "....") for kind, rows in by_kind.items() if rows]
    if left_out > sum(by_kind.values()):
        steps.append(_Step("left out by several indexes", left_out - sum(by_kind.values()), INDEXED, "...."))
    steps.append(_Step("struck out by deletion bitmaps", struck_out, STRUCK, "////"))
    # The condition's columns are read first, and the others only where it holds; a limit ends a scan early.
    steps.append(_Step("dropped while reading", in_files - left_out - struck_out - handed, DROPPED, "\\\\\\\\"))
    steps.append(_Step("dropped by Spark's filter", handed - (handed if kept is None else kept), DROPPED, "xxxx"))
    return _Scan(
        snapshot,
        told.group(6) or "no condition",
        stored,
        tuple(step for step in steps if step.rows or step.colour == STRUCK),
    )


def _skipped(files: int, rows: int, after: str) -> Iterator[_Step]:
    """The rows of files that were ruled out before any task started, by what ruled them out."""
    before = files
    for by, files_left, rows_left in _AFTER.findall(after):
        gone = f"{before - int(files_left):,} of {count(files, 'file')}"
        yield _Step(f"skipped by {by}: {gone}", rows - int(rows_left), SKIPPED)
        before, rows = int(files_left), int(rows_left)


def _bars(scan: _Scan) -> List[Tuple[_Step, int]]:
    """Each bar, and where it begins: what is taken out is cut off at the right of what is left."""
    bars, right = [(_Step("stored", scan.stored, STORED), 0)], scan.stored
    for step in scan.steps:
        right -= step.rows
        bars.append((step, right))
    return [*bars, (_Step("rows that are left", scan.left, LIVE), 0)]


def _share(rows: int, of: int) -> str:
    """``12 rows (0.004 %)``: a share that is not nothing does not look like it."""
    if not rows or not of:
        return count(rows, "row")
    share = 100 * rows / of
    return f"{count(rows, 'row')} ({share:.3g} %)" if share < 99.95 or rows == of else f"{count(rows, 'row')} (99.9+ %)"


def _heads(name: str, scan: _Scan) -> Tuple[str, str]:
    return (
        f"{name}, snapshot {scan.snapshot}: {count(scan.left, 'row')} left of {scan.stored:,} stored",
        _shown(scan.condition),
    )


def _shown(condition: str) -> str:
    """Without the null tests that Spark adds to each comparison, in at most two lines."""
    text = " ".join(condition.split())
    for test, column in re.findall(r"(NOT (\S+) IS NULL AND )", text):
        if re.search(rf"(?<!NOT ){re.escape(column)} ", text):
            text = text.replace(test, "")
    if text.startswith("(") and _closing(text) == len(text) - 1:
        text = text[1:-1]
    return "\n".join(textwrap.wrap(text, WIDTH, max_lines=2, placeholder=" …"))


def _closing(text: str) -> int:
    """Where the bracket that opens the text is closed."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return i
    return -1


def _nothing_read(name: str) -> str:
    return f"{name}: no rows are read; metadata and indexes answer the query"


def _text(name: str, scans: List[_Scan]) -> str:
    if not scans:
        return _nothing_read(name)
    lines: List[str] = []
    for scan in scans:
        lines += _heads(name, scan)
        bars = _bars(scan)
        wide = max(len(step.label) for step, _ in bars)
        for step, begin in bars:
            first = round(BAR * begin / scan.stored) if scan.stored else 0
            cells = max(1, round(BAR * step.rows / scan.stored)) if step.rows else 0
            first = min(first, BAR - cells)
            mark = "#" if step.colour in (STORED, LIVE) else "."
            cut = " " * first + mark * cells
            lines.append(f"{step.label:<{wide}}  |{cut:<{BAR}}|  {_share(step.rows, scan.stored)}")
    lines.append("# rows that are there   . rows taken out, from the right, one thing after the other")
    return "\n".join(lines)


def _draw(name: str, scans: List[_Scan]) -> "Figure":
    from matplotlib.figure import Figure

    drawn = [_bars(scan) for scan in scans]
    heights = [1.6 + 0.36 * len(bars) for bars in drawn] or [1.2]
    figure = Figure(figsize=(9, sum(heights)), layout="constrained")
    if not scans:
        figure.text(0.02, 0.5, _nothing_read(name), fontsize=11, va="center")
        return figure
    plots = figure.subplots(len(scans), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, scan, bars in zip(plots, scans, drawn):
        for y, (step, begin) in enumerate(bars):
            axes.barh(
                y,
                step.rows,
                left=begin,
                height=0.7,
                color=step.colour,
                hatch=step.hatch,
                edgecolor="white",
                linewidth=0,
            )
            # Few rows among many would be thinner than a pixel.
            if step.rows:
                axes.vlines(begin, y - 0.35, y + 0.35, color=step.colour, linewidth=2)
            if y:
                axes.vlines(bars[y - 1][1] if y > 1 else scan.stored, y - 0.65, y + 0.35, color=LINE, linewidth=0.5)
            axes.annotate(
                _share(step.rows, scan.stored),
                (1.02, y),
                xycoords=axes.get_yaxis_transform(),
                va="center",
                fontsize=8,
                color=LINE,
                annotation_clip=False,
            )
        axes.set_yticks(range(len(bars)), [step.label for step, _ in bars], fontsize=9)
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.set_xlim(0, max(1, scan.stored))
        axes.set_xlabel("rows as stored")
        thousands(axes.xaxis)
        axes.set_title("\n".join(_heads(name, scan)), loc="left", fontsize=11)
        bare(axes)
    return figure
