"""Where the jar is, the settings of a session that uses it, and whether Spark, Scala and Java match."""

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union

import pyspark
from obelus._errors import ObelusError
from pyspark import SparkContext
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

EXTENSION = "io.obelus.procedure.ObelusExtensions"
CATALOG = "io.obelus.spark.ObelusCatalog"
SESSION_CATALOG = "io.obelus.spark.ObelusSessionCatalog"
PATTERN = "obelus-spark-3.5_2.12-*.jar"
LOGGING = Path(__file__).resolve().with_name("log4j2.properties")
SPARK, SCALA, JAVA = "3.5", "2.12", 17

PathLike = Union[str, "os.PathLike[str]"]


def jar() -> str:
    """Path of the Obelus jar: ``OBELUS_JAR``, else the one in the wheel, else the one built in this source tree.

    Raises FileNotFoundError, saying what to do, if there is none.
    """
    named = os.environ.get("OBELUS_JAR")
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"OBELUS_JAR should name the Obelus jar, but there is no file {named}.")
        return str(Path(named).resolve())
    package = Path(__file__).resolve().parent
    places = [package / "jars", package.parents[1] / "spark-procedures" / "target"]
    for place in places:
        found = sorted(place.glob(PATTERN), key=lambda path: path.stat().st_mtime)
        if found:
            return str(found[-1])
    raise FileNotFoundError(
        f"No {PATTERN} in {places[0]} or {places[1]}. Build it with `make jar`, or set OBELUS_JAR to its path."
    )


def settings(warehouse: Optional[PathLike] = None, catalog: str = "obelus") -> Dict[str, str]:
    """The settings that bring Obelus into a session, as a dictionary.

    warehouse: directory of the tables; None = Spark's own ``spark.sql.warehouse.dir``.
    catalog: the name under which SQL sees them; ``spark_catalog`` keeps Spark's other tables beside them.
    """
    found = {
        "spark.jars": jar(),
        "spark.sql.extensions": EXTENSION,
        f"spark.sql.catalog.{catalog}": SESSION_CATALOG if catalog == "spark_catalog" else CATALOG,
    }
    if warehouse is not None:
        found[f"spark.sql.catalog.{catalog}.warehouse"] = os.fspath(warehouse)
    return found


def configure(
    builder: SparkSession.Builder, warehouse: Optional[PathLike] = None, catalog: str = "obelus"
) -> SparkSession.Builder:
    """Adds Obelus to a session that is about to be built. Jars and extensions already there stay, before ours.

    >>> from pyspark.sql import SparkSession
    >>> builder = SparkSession.builder.appName("report").config("spark.sql.extensions", "org.example.Theirs")
    >>> obelus.configure(builder, warehouse="/tmp/lake")._options["spark.sql.extensions"]
    'org.example.Theirs,io.obelus.procedure.ObelusExtensions'

    Raises ObelusError if Spark, Scala or Java are not those that the jar was built for, or if a session is
    running that was started without Obelus.
    """
    _check_versions()
    running = _running()
    for key, value in settings(warehouse, catalog).items():
        if key in ("spark.jars", "spark.sql.extensions"):
            value = _joined(builder._options.get(key) or running.get(key), value)
        builder = builder.config(key, value)
    return builder


def session(
    warehouse: Optional[PathLike] = None,
    *,
    catalog: str = "obelus",
    master: Optional[str] = None,
    **conf: Any,
) -> SparkSession:
    """A session with Obelus in it; the one that is running, if it has Obelus.

    warehouse: directory of the tables; a local one is made if it is missing. None = Spark's own.
    catalog: the name under which SQL sees the tables.
    master: None = as spark-submit says, else all cores of this machine.
    conf: further settings, which win over those made here: ``**{"spark.ui.enabled": False}``.

    >>> obelus.session().sql("SHOW PROCEDURES IN obelus").count() > 0
    True
    """
    if warehouse is not None and "://" not in os.fspath(warehouse):
        Path(warehouse).mkdir(parents=True, exist_ok=True)
        warehouse = os.path.abspath(warehouse)
    builder = configure(SparkSession.builder, warehouse, catalog)
    # Our own bar shows the progress, and a notebook shows the rows of a DataFrame, not its columns only.
    quiet = {
        "spark.app.name": "obelus",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.repl.eagerEval.enabled": str(in_notebook()).lower(),
    }
    if in_notebook() and SparkContext._gateway is None:
        quiet.update(_errors_only())
    if master is not None:
        quiet["spark.master"] = master
    # Static settings of a session that runs cannot change, and Spark warns of each.
    wanted = {**({} if SparkContext._active_spark_context else quiet), **conf}
    for key, value in wanted.items():
        if not key.startswith("spark."):
            raise TypeError(f"session() has no argument {key!r}; settings of Spark begin with 'spark.'")
        builder = builder.config(key, str(value).lower() if isinstance(value, bool) else str(value))
    return builder.getOrCreate()


def in_notebook() -> bool:
    """Whether this runs in a kernel of Jupyter, where pictures can be shown; others may just import one."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def _errors_only() -> Dict[str, str]:
    """Settings that keep the log of a JVM about to start to errors, and warnings of ours: a notebook shows it all.

    Empty where the user has Java options or a log4j2 configuration already.
    """
    directory = Path(os.environ.get("SPARK_CONF_DIR") or Path(_find_spark_home(), "conf"))
    defaults = directory / "spark-defaults.conf"
    theirs = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    if defaults.is_file():
        theirs += defaults.read_text(encoding="utf-8", errors="replace")
    if any(directory.glob("log4j2.*")) or re.search(r"driver-java-options|driver\.extraJavaOptions", theirs):
        return {}
    return {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={LOGGING.as_uri()}"}


def _joined(before: Optional[str], ours: str) -> str:
    parts = [part.strip() for part in (before or "").split(",") if part.strip()]
    return ",".join([part for part in parts if part != ours] + [ours])


def _check_versions() -> None:
    if os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED"):
        raise ObelusError(
            "Obelus needs a Spark driver in this process, but SPARK_REMOTE asks for Spark Connect: unset it, "
            "or add the jar and its settings to the server."
        )
    if not pyspark.__version__.startswith(SPARK + "."):
        raise ObelusError(
            f"Obelus needs PySpark {SPARK}, but {pyspark.__version__} is installed: pip install 'pyspark>=3.5,<3.6'"
        )
    home = _find_spark_home()
    for core in Path(home, "jars").glob("spark-core_*.jar"):
        _check_spark(core.name, home)
    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        _check_java(*_java())


def _check_spark(core: str, home: str) -> None:
    """core: ``spark-core_2.12-3.5.9.jar``, or a vendor's ``spark-core_2.12-3.5.4-amzn-0.jar``."""
    found = re.fullmatch(r"spark-core_([\d.]+)-(.*)\.jar", core)
    if not found:
        return
    scala, spark = found.groups()
    if not spark.startswith(SPARK + ".") or scala != SCALA:
        raise ObelusError(
            f"Obelus needs Spark {SPARK} for Scala {SCALA}, but {home} has Spark {spark} for Scala {scala}: "
            f"install another, or set SPARK_HOME to one that fits."
        )


def _check_java(version: Optional[int], where: str) -> None:
    if version is None:
        raise ObelusError(f"Spark needs Java {JAVA}, but there is no {where}: install a JDK {JAVA} or set JAVA_HOME.")
    if version < JAVA:
        raise ObelusError(f"Obelus needs Java {JAVA}, but {where} is Java {version}: set JAVA_HOME to a JDK {JAVA}.")
    if version > JAVA:
        warnings.warn(f"Spark {SPARK} was made for Java {JAVA} at most, but {where} is Java {version}.", stacklevel=4)


def _java() -> Tuple[Optional[int], str]:
    """The version of the Java that Spark will start, and where it is."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if java is None or not os.path.exists(java):
        return None, java or "java on the PATH"
    release = Path(os.path.realpath(java)).parents[1] / "release"
    if release.is_file():
        text = release.read_text(encoding="utf-8", errors="replace")
    else:
        text = subprocess.run([java, "-version"], capture_output=True, encoding="utf-8").stderr
    found = re.search(r'(?:JAVA_VERSION=|version )"(?:1\.)?(\d+)', text)
    return (int(found.group(1)) if found else JAVA), java


def _running() -> Dict[str, str]:
    """Settings of the JVM that runs already (spark-submit, an earlier session); our jar is added to it.

    Such a JVM takes no jar by ``spark.jars``: its driver looks for classes in a loader made at its start.
    """
    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return {}
    SparkContext._ensure_initialized()
    jvm: Any = SparkContext._jvm
    java = str(jvm.java.lang.System.getProperty("java.specification.version"))
    _check_java(int(java.split(".")[-1]), "the running JVM")
    scala = str(jvm.scala.util.Properties.versionNumberString()).rsplit(".", 1)[0]
    spark = jvm.org.apache.spark.package.SPARK_VERSION()
    _check_spark(f"spark-core_{scala}-{spark}.jar", "the running JVM")
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    if not _has_class(jvm, loader, EXTENSION):
        try:
            loader.addURL(jvm.java.io.File(jar()).toURI().toURL())
        except Exception as error:
            raise ObelusError(f"Start Spark with --jars {jar()}: its JVM takes no more jars now.") from error
    active = SparkContext._active_spark_context
    if active is None:
        return {key: value for key, value in pyspark.SparkConf().getAll()}
    found = dict(active.getConf().getAll())
    if EXTENSION not in found.get("spark.sql.extensions", ""):
        raise ObelusError(
            "A Spark session without Obelus is running. Call its stop() before, or start it with "
            f"--jars {jar()} --conf spark.sql.extensions={EXTENSION}."
        )
    return found


def _has_class(jvm: Any, loader: Any, name: str) -> bool:
    return loader.getResource(name.replace(".", "/") + ".class") is not None
