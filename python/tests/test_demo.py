"""The demo runs, and its own check of all rows passes."""

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "demo" / "flights.py"


def test_the_demo_ends_with_the_rows_that_pandas_has(tmp_path):
    done = subprocess.run(
        [sys.executable, str(DEMO), str(tmp_path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "each value as expected" in done.stdout
    assert "rows struck out" in done.stdout
