"""Each notebook runs from top to bottom, shows no warning, leaves whole tables, and none of its pictures is empty."""

import base64
import io
from pathlib import Path

import matplotlib.image
import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from whole_tables import CHECK

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_runs(notebook, tmp_path):
    content = nbformat.read(notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in content.cells), "notebooks are committed without output"
    stop = [cell for cell in content.cells if "\nspark.stop()" in "\n" + cell.source]
    assert len(stop) == 1
    stop[0].source = stop[0].source.replace("spark.stop()", CHECK + "spark.stop()")
    client = NotebookClient(
        content,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
        # The usual history is one file for all kernels of this user, and two of them run at a time.
        extra_arguments=["--HistoryManager.hist_file=:memory:"],
    )
    client.execute()
    for cell in content.cells:
        if cell.cell_type == "code":
            check(cell)


def check(cell):
    told = [out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stderr"]
    assert not told, f"a warning on the page: {told}\n{cell.source}"
    pictures = [out.data["image/png"] for out in cell.outputs if "image/png" in out.get("data", {})]
    if cell.source.splitlines()[-1].startswith(("figure", "plots")) or ".plot_" in cell.source.splitlines()[-1]:
        assert pictures, f"no picture:\n{cell.source}"
    for picture in pictures:
        assert drawn(base64.b64decode(picture)) > 0.02, f"an empty picture:\n{cell.source}"


def drawn(png):
    """The share of pixels that are not of the commonest colour."""
    pixels = matplotlib.image.imread(io.BytesIO(png)).reshape(-1, 4)
    _, counts = np.unique(pixels, axis=0, return_counts=True)
    return 1 - counts.max() / len(pixels)


def test_there_are_notebooks():
    assert [path.name[:2] for path in NOTEBOOKS][:6] == ["01", "02", "03", "04", "05", "06"]


def test_an_empty_picture_is_noticed():
    from matplotlib.figure import Figure

    out = io.BytesIO()
    Figure(figsize=(9, 3)).savefig(out, format="png")
    assert drawn(out.getvalue()) == 0
