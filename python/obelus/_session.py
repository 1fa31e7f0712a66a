"""Where the jar is, and the settings of a session that uses it."""

import os
from pathlib import Path
from typing import Dict, Optional, Union

from pyspark.sql import SparkSession

EXTENSION = "io.obelus.procedure.ObelusExtensions"
CATALOG = "io.obelus.spark.ObelusCatalog"
PATTERN = "obelus-spark-3.5_2.12-*.jar"


def jar() -> str:
    """Path of the Obelus jar: ``OBELUS_JAR``, else the one built in this source tree.

    Raises FileNotFoundError, saying what to do, if there is none.
    """
    named = os.environ.get("OBELUS_JAR")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(
                f"OBELUS_JAR should name the Obelus jar, but there is no file {named}."
            )
        return str(Path(named).resolve())
    target = Path(__file__).resolve().parents[2] / "spark-procedures" / "target"
    built = sorted(target.glob(PATTERN), key=lambda path: path.stat().st_mtime)
    if not built:
        raise FileNotFoundError(
            f"No {PATTERN} in {target}. Build it with `make jar`, or set OBELUS_JAR to its path."
        )
    return str(built[-1])


def settings(
    warehouse: Union[str, os.PathLike, None] = None, catalog: str = "obelus"
) -> Dict[str, str]:
    """The session settings, as a dictionary.

    warehouse: directory of the tables; None = Spark's own ``spark.sql.warehouse.dir``.
    catalog: the name under which SQL sees them.
    """
    found = {
        "spark.jars": jar(),
        "spark.sql.extensions": EXTENSION,
        f"spark.sql.catalog.{catalog}": CATALOG,
    }
    if warehouse is not None:
        found[f"spark.sql.catalog.{catalog}.warehouse"] = os.fspath(warehouse)
    return found


def configure(
    builder: SparkSession.Builder,
    warehouse: Union[str, os.PathLike, None] = None,
    catalog: str = "obelus",
) -> SparkSession.Builder:
    """Adds Obelus to a session that is about to be built, leaving other settings alone."""
    for key, value in settings(warehouse, catalog).items():
        builder = builder.config(key, value)
    return builder


def session(
    warehouse: Union[str, os.PathLike, None] = None,
    catalog: str = "obelus",
    master: str = "local[*]",
    config: Optional[Dict[str, str]] = None,
) -> SparkSession:
    """A session with Obelus in it, for notebooks and trying out.

    warehouse: a local directory is made if it is missing.
    config: further settings, which win over those made here.
    """
    if warehouse is not None and "://" not in os.fspath(warehouse):
        Path(warehouse).mkdir(parents=True, exist_ok=True)
    builder = configure(SparkSession.builder.master(master).appName("obelus"), warehouse, catalog)
    for key, value in (config or {}).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
