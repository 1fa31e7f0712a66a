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


@pytest.fixture(scope="module")
def indexed(spark):
    """Keys 0 to 1999 in two partitions; the first hundred of each are struck out, and nothing lies in order."""
    made = ObelusTable.create(
        spark,
        "obelus.test.i",
        "id INT NOT NULL, part INT NOT NULL, c STRING, n INT",
        primary_key=["id", "part"],
        partitioned_by="part",
        options={
            "bucket": 1,
            "file-index.in-manifest-threshold": "0 b",
            "file-index.bitmap.columns": "c",
            "file-index.bsi.columns": "n",
        },
    )
    made.upsert(
        spark.range(2000).selectExpr(
            "CAST(id % 1000 AS INT) AS id",
            "CAST(id / 1000 AS INT) AS part",
            "concat('c', id % 10) AS c",
            "CAST(id * 7 % 1000 AS INT) AS n",
        )
    )
    made.delete("id < 100")
    yield made
    made.drop()


def taken(picture):
    """The rows of each line of the text."""
    lines = [line.split("|") for line in repr(picture).splitlines() if line.count("|") == 2]
    return {name.strip(): int(rows.split()[0].replace(",", "")) for name, _, rows in lines}


def test_the_pruning_says_what_each_thing_took_out(spark, indexed):
    picture = indexed.plot_pruning("SELECT id, n + 1 FROM obelus.test.i WHERE part = 1 AND c = 'c3' AND n < 500")
    assert taken(picture) == {
        "stored": 2000,
        "skipped by partition: 1 of 2 files": 1000,
        "left out by bitmap index": 900,
        "left out by bsi index": 50,
        "struck out by deletion bitmaps": 7,
        "rows that are left": 43,
    }
    assert repr(picture).splitlines()[0] == "obelus.test.i, snapshot 2: 43 rows left of 2,000 stored"
    axes = picture.figure.axes[0]
    assert axes.get_xlabel() == "rows as stored" and "43 rows left" in axes.get_title(loc="left")
    assert colours(picture._repr_png_()) > 20


def test_the_pruning_says_which_statistics_skipped_files(indexed):
    assert taken(indexed.plot_pruning("SELECT id FROM obelus.test.i WHERE part = 0 AND n > 999")) == {
        "stored": 2000,
        "skipped by partition: 1 of 2 files": 1000,
        "skipped by value statistics: 1 of 2 files": 1000,
        "struck out by deletion bitmaps": 0,
        "rows that are left": 0,
    }


def test_the_pruning_agrees_with_the_rows_that_come_out(indexed):
    for where in [
        "id % 3 = 0",
        "n > 990 OR c = 'c1'",
        "c IN ('c1', 'c2') AND id % 2 = 0",
        "n < -1",
        "true",
        "part = 7",
    ]:
        query = indexed.df().where(where)
        rows = query.count()
        for _ in range(2):  # a query that has run already counts once
            found = taken(indexed.plot_pruning(query))
            assert found["rows that are left"] == rows, (where, found)
            assert found["stored"] == sum(found.values()) - found["stored"] == 2000, (where, found)


def test_the_pruning_of_a_join_has_a_part_for_each_scan(spark, indexed):
    joined = indexed.df().where("c = 'c7'").alias("a").join(indexed.df().where("n = 500").alias("b"), "id")
    text = repr(indexed.plot_pruning(joined))
    assert text.count("snapshot 2") == 2 and "c = c7" in text and "n = 500" in text


def test_the_pruning_of_an_older_snapshot_is_that_of_then(spark, indexed):
    then = obelus.read(spark, indexed.name, version=1).where("c = 'c3'")
    assert taken(indexed.plot_pruning(then))["rows that are left"] == 200


def test_what_metadata_answers_reads_nothing(spark, indexed):
    picture = indexed.plot_pruning("SELECT count(*) FROM obelus.test.i")
    assert "no rows are read" in repr(picture) and picture._repr_png_()


def test_the_pruning_of_a_query_of_another_table_is_refused(spark, indexed, table):
    with pytest.raises(obelus.InvalidRequestError, match="the query does not read obelus.test.i"):
        indexed.plot_pruning(table.df())


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
