# Everything is installed into .venv; only Python and make are required.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help demo test check docs bench ray peers clean browser frontend

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 10

demo: .venv/demo  ## explain sample photos, benchmark methods, open an explorer of the maps
	$(BIN)/seewhy demo

test: .venv/test browser  ## run all tests
	$(BIN)/python -m pytest --numprocesses 2 --quiet -rs

check: .venv/check frontend  ## style, types, and that explorer.js and page.js are what their source gives
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/docs  ## build the site into build/site; EXPLORERS=2 embeds only two explorers
	$(BIN)/python docs/generator $(if $(EXPLORERS),--explorers $(EXPLORERS))
	cd build && NO_MKDOCS_2_WARNING=1 ../$(BIN)/mkdocs build --strict --quiet --config-file mkdocs.yml --site-dir mkdocs-site
	cd build && ../$(BIN)/zensical build --strict --config-file mkdocs.yml
	@echo "the site is build/site/index.html"

bench: .venv/demo  ## run a benchmark: make bench CONFIG=benchmarks/aha_table1.toml
	$(BIN)/seewhy bench $(CONFIG)

ray: .venv/test  ## kill workers, a machine and the driver of a Ray cluster of three nodes
	$(BIN)/python benchmarks/ray_cluster.py

peers: .venv-peers/done  ## compare time and maps with Captum, pytorch-grad-cam, torch-cam and Quantus
	.venv-peers/bin/python -W ignore benchmarks/peers.py --out benchmarks/data/peers.csv

# an environment of their own: they bring many packages
.venv-peers/done: pyproject.toml constraints.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt torch
	.venv-peers/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable . captum grad-cam torchcam quantus
	touch $@

clean:  ## remove the virtual environment and caches
	rm -rf .venv .venv-peers frontend/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis seewhy-demo

# Debian's chromium, for the tests of the explorer and the page: without a browser they are skipped and say so
browser:
	@if ! command -v chromium >/dev/null; then \
		echo "installing chromium"; \
		{ test "$$(id -u)" = 0 && apt-get -qq update && \
			DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium fonts-liberation >/dev/null; } || \
		echo "chromium is missing and could not be installed: browser tests will be skipped"; \
	fi

# Only those who change frontend/ need Node
frontend:
	@if ! command -v npm >/dev/null; then \
		echo "Node is not installed: explorer.js and page.js were not compared with its source"; \
	elif ! npm --prefix frontend ci --silent --no-audit --no-fund; then \
		echo "npm could not install esbuild: explorer.js and page.js were not compared with its source"; \
	else npm --prefix frontend run --silent check; fi

# torch first: the constraint keeps later installs from replacing it
.venv/core: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) torch
	touch $@

.venv/demo: .venv/core
	$(PIP) --editable '.[demo]'
	touch $@

.venv/test: .venv/core
	$(PIP) --editable '.[audit,callbacks,demo,hf,onnx,ray,train,ui,test]'
	touch $@

.venv/docs: .venv/test
	$(PIP) --editable '.[docs]'
	touch $@

.venv/check: .venv/test
	$(PIP) --editable '.[check]'
	touch $@
