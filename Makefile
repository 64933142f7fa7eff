# One name for each thing that a contributor or CI does. `make` alone lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Everything is installed, or only what runs; the first holds the second.
INSTALLED := $(VENV)/.installed
RUNNABLE := $(VENV)/.runnable
BENCH ?= $(or $(STILLTRUE_BENCH),../shared/bench)
PACKAGES := mappings store indexer reranker stilltrue
PYTEST := $(BIN)/python -m pytest -q

# Runs a command with a node beside it, unless OPENSEARCH_URL names one that is there.
NODE = $(if $(OPENSEARCH_URL),,$(BIN)/python tools/opensearch_node.py run --version $(or $(VERSION),2.19) --heap 512m --)

export STILLTRUE_BENCH := $(BENCH)

.DEFAULT_GOAL := help
.PHONY: help demo install check test test-fast test-cover test-slow test-bench-corpus test-opensearch fix bench soak clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(if $(wildcard $(INSTALLED)),$(INSTALLED),$(RUNNABLE)) ## the first minute: a small handbook, built, taken in and asked about many days
	@rm -rf .demo
	@$(BIN)/stilltrue demo .demo

install: $(INSTALLED) ## create .venv and install everything, at the versions of constraints.txt

# $(call pip_install,WHAT): into .venv, which is made where it is missing
define pip_install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "python: $$($(PYTHON) --version 2>&1) is too old; 3.11 or newer is needed; say which with PYTHON=python3.12" >&2; exit 2; }
@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
@echo "installing into $(VENV), once" >&2
PIP_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install -q -e '$(1)'
endef

$(RUNNABLE): pyproject.toml constraints.txt
	$(call pip_install,.)
	@touch $@

$(INSTALLED): pyproject.toml constraints.txt
	$(call pip_install,.[dev])
	@touch $(RUNNABLE) $@

check: install ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: check test-fast test-cover test-slow test-bench-corpus ## everything a change must pass (one lane each below)

test-fast: install ## the quick tests: under two minutes on two cores
	$(PYTEST) -m "not slow and not soak and not bench and not opensearch"

test-cover: install ## every branch of mappings and reranker/core is run by a test
	$(PYTEST) tests/mappings tests/reranker -m "not slow and not soak and not bench and not opensearch" \
	  --cov=mappings --cov=reranker.core --cov-branch --cov-fail-under=100 --cov-report=term-missing

test-slow: install ## the tests that take seconds each
	$(PYTEST) -m "slow and not bench and not opensearch"

test-bench-corpus: install ## ingest and ask a benchmark set (BENCH=folder; skipped where it is absent, required in CI)
	$(PYTEST) -m bench

test-opensearch: install ## the engine on a cluster, on a node started here (VERSION=3 for the newer one) or OPENSEARCH_URL
	$(NODE) $(PYTEST) -m opensearch || { test $$? -eq 69 && test -z "$$CI"; } # 69: no Java or Maven, which only CI must have

fix: install ## apply what ruff can mend by itself
	$(BIN)/ruff check --fix .

bench: install ## quality and speed, with figures (BENCH=folder)
	$(BIN)/python benchmarks/quality.py $(BENCH)
	$(BIN)/python benchmarks/verdicts.py $(BENCH)
	$(BIN)/python benchmarks/timewords.py $(BENCH)/timeexpr/gold.jsonl --by-kind
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/history.py
	$(BIN)/python benchmarks/growth.py

soak: install ## the tests that take minutes each
	$(PYTEST) -m soak

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .demo build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
