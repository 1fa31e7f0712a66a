"""Puts the jar into the wheel. Everything else is in pyproject.toml."""

import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PATTERN = "obelus-spark-3.5_2.12-*.jar"


class BuildWithJar(build_py):
    """Copies ``OBELUS_JAR``, else the jar of the source tree, to ``obelus/jars``; editable installs find it there."""

    def run(self) -> None:
        super().run()
        if getattr(self, "editable_mode", False):
            return
        target = Path(__file__).resolve().parents[1] / "spark-procedures" / "target"
        built = sorted(target.glob(PATTERN), key=lambda path: path.stat().st_mtime)
        named = os.environ.get("OBELUS_JAR") or (str(built[-1]) if built else None)
        if named is None:
            raise SystemExit(f"No {PATTERN} in {target}. Build it with `make jar`, or set OBELUS_JAR to its path.")
        jars = Path(self.build_lib, "obelus", "jars")
        shutil.rmtree(jars, ignore_errors=True)
        jars.mkdir(parents=True)
        shutil.copy(named, jars)


setup(cmdclass={"build_py": BuildWithJar})
