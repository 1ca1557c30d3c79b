# contextc: `make help` lists the commands. Each sets up what it needs by itself (Python 3.11+, git and make suffice).

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# pip installs into the environment from outside, so no pip, ensurepip or activation is needed in it.
INSTALL := $(PYTHON) -m pip --disable-pip-version-check --python $(VENV) install -q --require-hashes
EDITABLE := $(PYTHON) -m pip --disable-pip-version-check --python $(VENV) install -q --no-deps --no-build-isolation -e .

.PHONY: help demo test check tests slow format lock wheel clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/run.stamp ## run the main job on this repository
	$(BIN)/contextc compile --intent "a refusal names the least budget that would be enough" --budget 8000

test: check tests ## everything that must pass before a change lands

check: $(VENV)/dev.stamp ## style, format and types
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy

tests: $(VENV)/dev.stamp ## the test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile

slow: $(VENV)/dev.stamp ## long runs: 50,000 instances against the oracle, the quality of admission
	$(BIN)/python -m pytest -m slow
	$(BIN)/python -m tests.sweep --instances 50000
	$(BIN)/contextc bench quality

format: $(VENV)/dev.stamp ## format the code
	$(BIN)/ruff check --fix src tests
	$(BIN)/ruff format src tests

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "contextc needs Python 3.11 or newer; say which with make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv --without-pip $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/python.stamp requirements/run.txt pyproject.toml
	$(INSTALL) -r requirements/run.txt
	$(EDITABLE)
	@touch $@

$(VENV)/dev.stamp: $(VENV)/python.stamp requirements/dev.txt pyproject.toml
	$(INSTALL) -r requirements/dev.txt
	$(EDITABLE)
	@touch $@ $(VENV)/run.stamp

lock: ## pin the libraries anew (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml requirements/build.in -o requirements/run.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate pyproject.toml requirements/build.in --group dev --extra exact -o requirements/dev.txt

wheel: $(VENV)/dev.stamp ## build the wheel into dist/
	$(PYTHON) -m pip --disable-pip-version-check --python $(VENV) wheel -q --no-deps --no-build-isolation -w dist .

clean: ## remove what the commands above made
	rm -rf $(VENV) dist build src/*.egg-info .mypy_cache .ruff_cache
