# Everything is installed into .venv; only Python and make are required.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test check bench clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 10

demo: .venv/demo  ## explain sample photos, benchmark methods, print the path of the report
	$(BIN)/seewhy demo

test: .venv/test  ## run all tests
	$(BIN)/python -m pytest --numprocesses 2 --quiet

check: .venv/check  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/demo  ## run a benchmark: make bench CONFIG=benchmarks/aha_table1.toml
	$(BIN)/seewhy bench $(CONFIG)

clean:  ## remove the virtual environment and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis seewhy-demo

# torch first: the constraint keeps later installs from replacing it
.venv/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) torch
	touch $@

.venv/demo: .venv/core
	$(PIP) --editable '.[demo]'
	touch $@

.venv/test: .venv/core
	$(PIP) --editable '.[demo,hf,onnx,train,test]'
	touch $@

.venv/check: .venv/test
	$(PIP) --editable '.[check]'
	touch $@
