"""Pictures: something is on them, the labels say what, and without a screen they are text."""

import struct
import zlib

import obelus
import pytest
from obelus import ObelusTable


@pytest.fixture(scope="module")
def table(spark):
    made = ObelusTable.create(
        spark, "obelus.test.p", "id BIGINT NOT NULL, v INT", primary_key="id", options={"bucket": 2}
    )
    made.upsert(spark.range(1000).selectExpr("id", "1 AS v"))
    made.upsert(spark.range(300).selectExpr("id", "2 AS v"))
    yield made
    made.drop()


def colours(png):
    """The different pixels of a PNG of 8 bits a channel whose rows are filtered by the PNG rules."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    return len(set(zlib.decompress(data)))


def test_the_layout_shows_what_is_struck_out(table):
    picture = table.plot_layout()
    text = repr(picture)
    assert text.splitlines()[:2] == ["obelus.test.p, snapshot 2", "4 files, 1,000 live rows, 300 struck out"]
    assert text.count("bucket 0") == 2 and "#" in text and "." in text.splitlines()[3]
    axes = picture.figure.axes[0]
    assert "300 struck out" in axes.get_title(loc="left") and axes.get_xlabel() == "rows as stored"
    assert colours(picture._repr_png_()) > 20


def test_the_layout_of_an_older_snapshot_is_that_of_then(table):
    assert "1,000 live rows, 0 struck out" in repr(table.plot_layout(1))


def test_the_history_counts_rows_bytes_and_files(table, tmp_path):
    picture = table.plot_history()
    cells = repr(picture).splitlines()[3].split()
    assert cells[0] == "2" and cells[2:5] == ["1,000", "300", "4"]
    assert [axes.get_ylabel() for axes in picture.figure.axes] == ["rows as stored", "data files, bytes", "data files"]
    picture.save(tmp_path / "history.svg")
    assert (tmp_path / "history.svg").stat().st_size > 5000


def test_a_table_without_a_snapshot_has_pictures_too(spark):
    empty = ObelusTable.create(spark, "obelus.test.empty", "id INT NOT NULL", primary_key="id")
    assert "no snapshot yet" in repr(empty.plot_layout())
    assert empty.plot_layout()._repr_png_() and empty.plot_history()._repr_png_()
    empty.drop()


def test_without_matplotlib_the_text_is_left(table, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    picture = table.plot_layout()
    assert picture._repr_png_() is None and "bucket 0" in repr(picture)
    with pytest.raises(obelus.ObelusError, match=r"pip install 'obelus\[pictures\]'"):
        picture.save("never.png")


def test_the_bar_is_switched_on_and_off(spark, table, capsys, monkeypatch):
    import obelus._progress as progress

    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.01)
    rows = spark.range(0, 20, 1, 8).selectExpr("id", "3 AS v")
    table.upsert(rows)
    assert "upsert" not in capsys.readouterr().err  # no terminal
    obelus.progress(True)
    try:
        table.upsert(rows)
    finally:
        obelus.progress(None)
    assert "upsert" in capsys.readouterr().err
