"""One session for all tests that share one, those in docstrings included.

Two workers run the tests: the ones with that session stay together on one of them, the ones that start processes of
their own go to whichever is free.
"""

import os

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


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    directory = tmp_path_factory.mktemp("lake")
    made = obelus.session(
        warehouse=directory / "obelus",
        master="local[2]",
        **{**QUIET, "spark.sql.warehouse.dir": str(directory / "spark")},
    )
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if "spark" in item.fixturenames or isinstance(item, pytest.DoctestItem):
            item.add_marker(pytest.mark.xdist_group("session"))


@pytest.fixture(autouse=True)
def names_in_docstrings(request, doctest_namespace):
    """``spark``, ``obelus`` and ``ObelusTable`` are there in every docstring."""
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace.update(spark=request.getfixturevalue("spark"), obelus=obelus, ObelusTable=obelus.ObelusTable)
