"""The jar is found, or the error says what to do."""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import obelus
import pytest

PYTHON = Path(__file__).resolve().parents[1]
README = PYTHON.parent / "README.md"


def test_the_jar_of_this_source_tree_is_found(monkeypatch):
    monkeypatch.delenv("OBELUS_JAR", raising=False)
    assert obelus.jar().endswith(".jar")


def test_a_named_jar_wins(monkeypatch, tmp_path):
    named = tmp_path / "mine.jar"
    named.write_bytes(b"")
    monkeypatch.setenv("OBELUS_JAR", str(named))
    assert obelus.jar() == str(named)


def test_a_named_jar_that_is_missing_is_an_error_with_its_path(monkeypatch, tmp_path):
    monkeypatch.setenv("OBELUS_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(FileNotFoundError, match="OBELUS_JAR should name .*none.jar"):
        obelus.jar()


def test_the_jar_holds_our_classes_and_nothing_that_spark_ships():
    with zipfile.ZipFile(obelus.jar()) as jar:
        files = [name for name in jar.namelist() if not name.endswith("/")]
    foreign = [n for n in files if not n.startswith(("io/obelus/", "META-INF/"))]
    assert foreign == []
    assert "META-INF/LICENSE" in files
    assert "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister" in files


def test_the_wheel_runs_the_quick_start_of_the_readme(tmp_path):
    """In an environment of its own that has PySpark and nothing of the source tree."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, PYTHON],
        check=True,
        env={**os.environ, "OBELUS_JAR": obelus.jar()},
    )
    (wheel,) = tmp_path.glob("obelus-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    # A .pth below a .pth is not followed: the editable obelus of this environment stays out.
    (site / "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site, wheel], check=True)
    code = re.findall(r"^```python\n(import obelus\n.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)[0]
    code += "print([tuple(row) for row in orders.df().orderBy('id').collect()], obelus.jar(), sep='\\n')\n"
    settings = "--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 pyspark-shell"
    clean = {k: v for k, v in os.environ.items() if k not in ("OBELUS_JAR", "PYTHONPATH")}
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        env={**clean, "PYSPARK_SUBMIT_ARGS": settings},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    out = done.stdout.splitlines()
    assert out[-2] == "[(2, 'Ben', 25.0), (3, 'Cleo', 30.0), (4, 'Dora', 40.0)]"
    assert Path(out[-1]).is_relative_to(site)
    assert "\ncompaction: " in done.stdout
