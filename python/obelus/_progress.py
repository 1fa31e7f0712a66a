"""A bar for calls that take long, fed by Spark's status tracker."""

import html
import sys
import threading
from contextlib import contextmanager
from typing import Dict, Iterator, Optional, Tuple

from obelus._session import in_notebook
from pyspark.sql import SparkSession

_DELAY, _EVERY = 1.0, 0.25  # seconds: a call that is over sooner shows nothing
_wanted: Optional[bool] = None


def progress(shown: Optional[bool] = None) -> None:
    """Switches the progress bar on (True) or off (False); None: shown in a terminal or notebook only."""
    global _wanted
    _wanted = shown


@contextmanager
def bar(spark: SparkSession, what: str) -> Iterator[None]:
    """Shows the tasks done of all stages that run meanwhile: below a notebook's cell, else on the standard error."""
    if not (sys.stderr.isatty() or in_notebook() if _wanted is None else _wanted):
        yield
        return
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(spark, what, over), daemon=True, name="obelus-progress")
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(spark: SparkSession, what: str, over: threading.Event) -> None:
    if over.wait(_DELAY):
        return
    from tqdm import tqdm  # only now: most calls are short

    tracker = spark.sparkContext.statusTracker()
    tasks: Dict[int, Tuple[int, int]] = {}  # stage -> (done, all); one that has ended counts as done
    with tqdm(
        desc=what, unit="task", leave=False, file=_Cell() if in_notebook() else sys.stderr, mininterval=0
    ) as shown:
        while not over.wait(_EVERY):
            active = tracker.getActiveStageIds()
            tasks.update({stage: (count, count) for stage, (_, count) in tasks.items() if stage not in active})
            for stage in active:
                info = tracker.getStageInfo(stage)
                if info is not None:
                    tasks[stage] = (info.numCompletedTasks, info.numTasks)
            shown.total = sum(count for _, count in tasks.values()) or None
            shown.n = sum(done for done, _ in tasks.values())
            shown.refresh()


class _Cell:
    """One line below a cell, written anew each time; the standard error of a notebook would keep them all."""

    def __init__(self) -> None:
        from IPython.display import display

        self._shown = display({"text/html": "", "text/plain": ""}, raw=True, display_id=True)

    def write(self, text: str) -> None:
        line = text.strip()
        self._shown.update(
            {"text/html": f"<pre>{html.escape(line)}</pre>" if line else "", "text/plain": line}, raw=True
        )

    def flush(self) -> None:
        """Every line is shown at once."""
