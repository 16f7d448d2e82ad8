# Everything a person does with this folder; `make help` lists it.
# Needs Python 3.11 or newer with venv, make and git; nothing else, and no root. `make setup PYTHON=python3.12`
# chooses among several.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

PIP := .venv/bin/python -m pip --disable-pip-version-check --no-input -qq
PYTEST := .venv/bin/pytest
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help setup setup-dev run test check bench lock clean

help:  ## List these commands.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' '$(firstword $(MAKEFILE_LIST))'

setup: .venv/ready  ## Make .venv from the locked requirements; leaves .venv/bin/selo.
	@echo 'Ready: .venv/bin/selo'

setup-dev: .venv/ready-dev  ## The same, with what tests and checks need.
	@echo 'Ready: .venv/bin/pytest, ruff, mypy'

.venv/bin/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$python" -c 'import venv, ensurepip' 2>/dev/null || { echo "$$python lacks venv: install it (Debian: apt-get install python3-venv)" >&2; exit 2; }; \
	    echo "Making .venv with $$("$$python" --version)"; \
	    exec "$$python" -m venv .venv; \
	  fi; \
	done; \
	echo "Python 3.11 or newer is needed; found: $$(python3 --version 2>/dev/null || echo no python3)" >&2; exit 2

.venv/ready: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing the requirements (a minute or two the first time)"
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/ready-dev: requirements-dev.lock .venv/ready
	@echo "Installing what tests and checks need"
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

run: .venv/ready  ## Start the demonstration on SQLite; HOST and PORT say where (127.0.0.1:8000).
	@export SELO_DEMO="$${SELO_DEMO:-1}"; \
	selo db upgrade; selo demo; exec selo serve --with-worker

test: .venv/ready-dev  ## Run every test this machine can run; says what it skipped and why.
	@failed=; \
	$(PYTEST) -q -n 2 -m 'not browser and not kill' || failed=yes; \
	$(PYTEST) -q -n 2 -m 'browser or kill' || failed=yes; \
	if [ -n "$$failed" ]; then echo 'Some tests failed: see above.' >&2; exit 1; fi

check: .venv/ready-dev  ## Style, types, import contracts, migrations.
	@ruff check .
	@ruff format --check .
	@mypy
	@lint-imports
	@selo db check

bench: .venv/ready-dev  ## Measure the main pages beside bare ones (see bench/README.md).
	@python -m bench

lock: .venv/ready-dev  ## Resolve the requirements anew and write both lock files.
	uv pip compile --universal --generate-hashes --no-annotate -q pyproject.toml -o requirements.lock
	uv pip compile --universal --generate-hashes --no-annotate -q pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

clean:  ## Remove .venv and caches; the data folder stays.
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
