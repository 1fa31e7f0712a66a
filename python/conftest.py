"""One session for all tests that share one, those in docstrings included.

Two workers run the tests: the ones with that session stay together on one of them, the ones that start processes of
their own go to whichever is free.
"""

import os
from pathlib import Path

import obelus
import pytest

# Most JVMs here live for seconds: the second compiler would cost more than it saves. (Java's tests run with it.)
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

QUIET = {
    "spark.sql.shuffle.partitions": 2,
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": False,
    "spark.driver.memory": "1g",
}


running = []  # the session, while there is one
seen = {}  # of each table: its files when it was looked at


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    directory = tmp_path_factory.mktemp("lake")
    made = obelus.session(
        warehouse=directory / "obelus",
        master="local[2]",
        **{**QUIET, "spark.sql.warehouse.dir": str(directory / "spark")},
    )
    made.sparkContext.setLogLevel("ERROR")
    running.append(made)
    yield made
    running.remove(made)
    made.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if "spark" in item.fixturenames or isinstance(item, pytest.DoctestItem):
            item.add_marker(pytest.mark.xdist_group("session"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Nothing may be wrong with the tables that a test has changed: looked at before fixtures drop them."""
    result = yield
    for spark in [] if item.get_closest_marker("damages_tables") else running:
        lake = Path(spark.conf.get("spark.sql.catalog.obelus.warehouse"))
        for table in (snapshots.parent for snapshots in lake.glob("[!.]*.db/[!.]*/snapshot")):
            files = {file: file.stat().st_mtime_ns for file in table.rglob("*")}
            if files != seen.get(table):
                seen[table] = files
                assert not findings(spark, table), table
    return result


def findings(spark, table):
    """What ``verify`` finds in the table of a directory; asked without Spark, whose jobs would take the longest."""
    core = spark._jvm.io.obelus.core
    storage = core.io.HadoopStorage(spark._jsc.hadoopConfiguration())
    level = getattr(core.table.verify, "Verify$Level").FULL
    opened = core.table.snapshot.Table.open(storage, str(table), table.name)
    return [finding.toString() for finding in core.table.verify.Verify.all(opened, None, level, 1.0)]


@pytest.fixture(autouse=True)
def names_in_docstrings(request, doctest_namespace):
    """``spark``, ``obelus`` and ``ObelusTable`` are there in every docstring."""
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace.update(spark=request.getfixturevalue("spark"), obelus=obelus, ObelusTable=obelus.ObelusTable)
