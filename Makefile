# The commands of the project. `make help` lists them.

BIN := .venv/bin
JOBS ?= 2
# HEADLESS=1, on the command line or in the environment, runs the demo without a browser.
DEMO_OPTIONS := $(if $(filter-out 0 no false,$(HEADLESS)),--headless)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup demo test test-matrix lint bench coverage fuzz docs browser clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-14s%s\n", $$1, $$2}'

setup: ## create .venv and install everything; quick if nothing changed
	@sh tools/setup.sh

demo: setup ## show a walking character in the browser; HEADLESS=1 writes out/demo.png instead
	@$(BIN)/poise demo $(DEMO_OPTIONS)

test: setup browser ## run the linters, type checks and import rules, then all tests (JOBS=2 in parallel)
	@# Compile what the tests need once, while the linters use the other core.
	@$(BIN)/python tools/compile_laws.py & compiler=$$!; \
	$(MAKE) --no-print-directory lint || { kill $$compiler; exit 1; }; \
	$(BIN)/python tools/compile_laws.py --backwards; wait $$compiler
	$(BIN)/pytest -n $(JOBS) --dist loadfile --durations=12

test-matrix: ## run the tests with every installed Python, oldest and newest packages (ARGS=... for pytest)
	python3 tools/test_matrix.py $(ARGS)

lint: setup ## check format, lint, types, import rules and links, without the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/docs.py
	$(BIN)/python tools/house.py
	$(BIN)/python tools/prose.py

bench: setup ## measure speed on this machine
	@$(BIN)/poise bench $(ARGS)

coverage: setup ## measure branch coverage of readers, files and search sessions; fails below 90 %
	@mkdir -p out/coverage
	$(BIN)/coverage run -m pytest -q tests/unit tests/behaviour/test_fuzz.py
	$(BIN)/coverage json -q -o out/coverage/report.json
	$(BIN)/coverage report

fuzz: setup ## feed ten thousand damaged files to every reader (ARGS="--count 1000 --seed 7"); faults go to out/fuzz
	@$(BIN)/python tools/fuzz.py --jobs $(JOBS) $(ARGS)

docs: setup ## check all links in the documents
	@$(BIN)/python tools/docs.py

browser:
	@sh tools/browser.sh

clean: ## remove .venv and the caches; keeps out/
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
