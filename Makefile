# Everything from a fresh checkout: `make demo` to see it, `make test` to believe it.

PYTEST_ARGS ?=
BIN := .venv/bin
CODE := bot handlers sandbox localhub bench tests benchmarks scripts

.PHONY: help setup engine bubblewrap browser inspector clients demo test check results screens format clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Make .venv from requirements-dev.lock (again only when that has changed)
	@scripts/setup.sh

engine: setup ## See that a Docker engine answers; as root on Debian or Ubuntu, install and start one
	@scripts/engine.sh

bubblewrap: setup ## See that boxes can be made without an engine; as root on Debian or Ubuntu, install bwrap
	@scripts/bubblewrap.sh

browser: setup ## See that there is a Chromium for the tests of pages; as root on Debian or Ubuntu, install one
	@scripts/browser.sh

inspector: setup ## See that the inspector of the Model Context Protocol is there, for the tests that use it
	@scripts/inspector.sh

clients: setup ## See that Octokit and gh are there, which ask localhub in tests; as root on Debian or Ubuntu, install them
	@scripts/clients.sh

demo: engine ## Show a whole repair on this machine: no keys, no GitHub
	@$(BIN)/regreen demo

test: engine bubblewrap browser inspector clients ## Run all tests; PYTEST_ARGS="-k name" for some
	@$(BIN)/pytest $(PYTEST_ARGS)

check: setup ## Lint, format, types, and the directions of imports
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/lint-imports

results: setup ## Write docs/results.md; RUN=DIR TABLE=NAME takes in that run of `regreen bench` first
	@$(BIN)/python scripts/write_results.py $(RUN) $(TABLE)

screens: browser ## Draw docs/screens/: what Regreen writes on GitHub, as GitHub shows it
	@scripts/emoji.sh
	@PYTHONPATH=. $(BIN)/python scripts/screens.py

format: setup ## Format the code
	@$(BIN)/ruff check --fix $(CODE)
	@$(BIN)/ruff format $(CODE)

clean: ## Remove what the other commands made in this folder
	rm -rf tests/clients/node_modules .venv .regreen build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
