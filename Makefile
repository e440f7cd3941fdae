# The two commands of the README are `make demo` and `make test`; each sets up all it needs by itself.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
BIN := .venv/bin

# Two cores are often shared with a camera or with other tests; numeric libraries would take all of them.
test bench faults: export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help
help:  ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: .venv/ready-to-run  ## watch a game without camera or cards
	@$(BIN)/floodwatch demo $(ARGS)

.PHONY: test
test: lint types imports unit  ## all checks: style, types, architecture, tests

.PHONY: lint
lint: .venv/ready-to-develop  ## only style and format
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; exit 1; }
	@echo "style: good"

.PHONY: types
types: .venv/ready-to-develop  ## only types
	@$(BIN)/mypy

.PHONY: imports
imports: .venv/ready-to-develop  ## only who may import whom
	@$(BIN)/lint-imports --no-logo

.PHONY: unit
unit: .venv/ready-to-develop  ## only the tests (ARGS="-k flood")
	@$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

.PHONY: format
format: .venv/ready-to-develop  ## put the code into our format
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

.PHONY: bench
bench: .venv/ready-to-develop  ## measure: every tests/benchmarks/bench_*.py
	@for file in $$(ls tests/benchmarks/bench_*.py 2>/dev/null); do \
	    $(BIN)/python -m tests.benchmarks.$$(basename $$file .py) $(ARGS) || exit 1; \
	done

.PHONY: fuzz
fuzz: .venv/ready-to-develop  ## hand damaged inputs to every reader (ARGS="--seconds 60")
	@$(BIN)/python -m tests.fuzz $(ARGS)

# Beside our environment, so that the fuzzer never becomes one of our packages; not every system has it.
.PHONY: fuzz-guided
fuzz-guided: .venv/ready-to-develop  ## the same, guided by the code that it reaches (atheris)
	@test -d .venv-fuzz/atheris || $(BIN)/python -m pip install -q --target .venv-fuzz atheris==3.0.0 || \
	    { rm -rf .venv-fuzz; echo "atheris cannot be installed here: make fuzz goes without it."; exit 2; }
	@PYTHONPATH=.:.venv-fuzz $(BIN)/python -m tests.fuzz.guided $(ARGS)

.PHONY: faults
faults: .venv/ready-to-develop  ## play while things go wrong (ARGS="--seconds 600", ARGS="--soak")
	@$(BIN)/python -m tests.faults $(ARGS)

.PHONY: sbom
sbom: .venv/ready-to-run  ## write the bill of materials (CycloneDX) into dist/
	@$(BIN)/python scripts/bill_of_materials.py

# In an environment of its own, so that the auditor's packages never become ours.
.PHONY: audit
audit:  ## look up known holes of the locked packages (needs the internet)
	@test -x .venv-audit/bin/pip-audit || { python3 -m venv .venv-audit && .venv-audit/bin/pip install -q pip-audit; } || \
	    { rm -rf .venv-audit; echo "pip-audit cannot be installed here: nothing was looked up."; exit 2; }
	@.venv-audit/bin/python scripts/audit.py --program .venv-audit/bin/pip-audit

.PHONY: wheel
wheel: .venv/ready-to-develop  ## build the wheel into dist/
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . >dist.log 2>&1 || { cat dist.log; exit 1; }
	@rm -f dist.log; ls -1 dist/*.whl

# Needs uv. The lock files hold for every system and every Python that we support.
.PHONY: lock
lock:  ## renew the lock files from pyproject.toml
	@command -v uv >/dev/null 2>&1 || { echo "make lock needs uv (https://docs.astral.sh/uv/): nothing was renewed."; exit 2; }
	@export UV_CUSTOM_COMPILE_COMMAND="make lock"; \
	compile="uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate $(ARGS)"; \
	$$compile pyproject.toml --extra dev -o requirements/dev.txt && \
	$$compile pyproject.toml -c requirements/dev.txt -o requirements/run.txt && \
	$$compile requirements/build.in -c requirements/dev.txt -o requirements/build.txt || \
	    { echo "Not all lock files were renewed, for the reason above; git checkout requirements brings the old ones back."; exit 2; }

.PHONY: clean
clean:  ## remove everything that was made here
	@rm -rf .venv .venv-audit .venv-fuzz dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/ready-to-run: requirements/run.txt requirements/build.txt pyproject.toml scripts/set-up
	@scripts/set-up run
	@touch $@

.venv/ready-to-develop: requirements/dev.txt pyproject.toml scripts/set-up
	@scripts/set-up dev
	@touch $@ .venv/ready-to-run
