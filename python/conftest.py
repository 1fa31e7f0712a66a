"""One session for all tests, those in docstrings included."""

import obelus
import pytest

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


@pytest.fixture(autouse=True)
def names_in_docstrings(request, doctest_namespace):
    """``spark``, ``obelus`` and ``ObelusTable`` are there in every docstring."""
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace.update(spark=request.getfixturevalue("spark"), obelus=obelus, ObelusTable=obelus.ObelusTable)
