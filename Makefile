# All that one does with Fleetfold from its folder. `make` alone lists it.
# Paths are relative throughout, so the folder may lie anywhere and have spaces in its name.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Some machines forbid it, and then each of the hundred processes that the tests start compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

TITLE     ?= midway
SCENARIO  ?=
SEED      ?= 1
ONLOOKERS ?= 3
FACTS ?= 0
ARGS      ?=
JOBS      ?= 3
HANGS     ?= 300
MODULE    ?=
SECONDS   ?= 60

FLEETFOLD := .venv/bin/fleetfold

# What must be up to date before anything runs: the Python side, and the page, which needs it for its types.
PYTHON_READY := .venv/.ready
PAGE_READY := clients/web/dist/.ready
READY := $(PYTHON_READY) $(PAGE_READY)
# What the page is built from: its sources without what the build makes of others, the titles' data, and texts of docs.
PAGE := $(shell find clients/web -name node_modules -prune -o -name dist -prune -o -name test-results -prune \
	-o -name .svelte-check -prune -o -name wire.ts -prune -o -name facts.ts -prune -o -name shown.ts -prune \
	-o -name atlas.ts -prune -o -name coasts -prune -o -name printed -prune -o -type f -print) $(wildcard domain/*/data/*) docs/trust.md docs/privacy.md

# What the page's types are made from: messages and responses, and the domain, any module of which may hold a type of them.
TYPES := $(wildcard server/protocol/*.py domain/*.py domain/*/*.py) server/http/responses.py \
	projections/audit.py projections/dispute.py projections/record.py

# Scripts in .venv name their own place: in a folder that was moved or copied they are made anew.
ifneq "$(shell cat $(PYTHON_READY) 2>/dev/null)" "$(CURDIR)"
.PHONY: $(PYTHON_READY)
endif

$(PYTHON_READY): requirements.lock pyproject.toml deploy/set-up deploy/provision
	@deploy/set-up

$(PAGE_READY): deploy/page $(TYPES) $(PAGE) | $(PYTHON_READY)
	@deploy/page

.PHONY: help setup play demo demo-weeks cluster demo-cluster check test soak coverage mutation bench bench-peers bench-weeks pictures wheel release audit lock format clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## Set up .venv with everything of requirements.lock (the others do it too)

play: $(READY) ## Start the server with its own Postgres and open the page (ARGS=...)
	@exec $(FLEETFOLD) play $(ARGS)

demo: $(READY) ## Let two bots play a whole match, then verify it (TITLE, SCENARIO, SEED, ONLOOKERS, FACTS)
	@exec $(FLEETFOLD) demo --title "$(TITLE)" --scenario "$(SCENARIO)" --seed "$(SEED)" \
		--onlookers "$(ONLOOKERS)" --facts "$(FACTS)" $(ARGS)

demo-weeks: $(READY) ## Let two persons play a rated duel over weeks, each called by mail, push and webhook
	@exec .venv/bin/python -m tests.weeks demo

cluster: $(READY) ## Start three nodes, Postgres with a standby, Redis and a balancer; Ctrl-C ends all
	@deploy/provision redis haproxy
	@deploy/provision patroni || echo "Going on with one Postgres."
	@exec .venv/bin/python -m tests.cluster

demo-cluster: $(READY) ## Kill parts of such a cluster while bots play on it, and check what everybody saw (SECONDS)
	@deploy/provision redis haproxy
	@deploy/provision patroni || echo "Going on with one Postgres."
	@exec .venv/bin/python -m tests.cluster demo "$(SECONDS)"

check: $(READY) ## Format, lint, types and quick tests, in seconds
	@deploy/check

test: $(READY) ## Everything but the soak tests: format, lint, types, all tests (JOBS=3, ARGS=...)
	@deploy/provision redis chromium haproxy nginx caddy postgres
	@# What needs no server fills what the tests of Python leave of the machine while they wait; browsers begin when it
	@# has ended. What it found is said last. A test that hangs for HANGS seconds fails, its stack printed; others go on.
	@said=$$(mktemp); trap 'rm -f "$$said"' EXIT; \
		{ deploy/check statics && deploy/page check; } >"$$said" 2>&1 & beside=$$!; \
		.venv/bin/pytest -n $(JOBS) --dist worksteal -m "not soak" -o faulthandler_timeout=$(HANGS) \
			-o faulthandler_exit_on_timeout=true $(ARGS) && tests=0 || tests=1; \
		wait $$beside && checks=0 || checks=1; \
		[ $$tests$$checks != 00 ] || deploy/page test || tests=1; \
		[ $$checks = 0 ] || cat "$$said"; \
		[ $$tests$$checks = 00 ]

soak: $(READY) ## The tests that take minutes to hours (ARGS=...)
	@deploy/provision redis chromium haproxy patroni pgbackrest
	@.venv/bin/pytest -m soak $(ARGS)
	@deploy/page soak

coverage: $(READY) ## Run the tests of Python and print what no test runs; fails below the floors (JOBS=3, ARGS=...)
	@deploy/provision redis haproxy nginx caddy postgres
	@deploy/coverage $(JOBS) $(ARGS)

mutation: $(READY) ## Put small faults into the rules and see whether a test fails (MODULE=domain/match/clock.py)
	@.venv/bin/python -m tests.mutation $(MODULE)

bench: $(READY) ## Measure against the machine and against others, as ratios; then the page (ARGS=...)
	@$(FLEETFOLD) bench $(ARGS)
	@[ -n "$(ARGS)" ] || .venv/bin/python -m tests.pacific_war.bench
	@[ -n "$(ARGS)" ] || { deploy/provision chromium && deploy/page speed; }

bench-peers: $(READY) ## Measure beside others, installed for it, in a quarter of an hour; writes docs/benchmarks.md (ARGS=...)
	@deploy/provision redis
	@.venv/bin/python -m tests.peers $(ARGS)

bench-weeks: $(READY) ## Measure a node with 50,000 matches by turns and their notices, in a quarter of an hour (ARGS=--help)
	@.venv/bin/python -m tests.weeks bench $(ARGS)

pictures: $(READY) ## Make the README's pictures anew, from matches whose dice and choices are known
	@deploy/provision chromium
	@cd clients/web && npm run --silent pictures

wheel: $(READY) ## What is installed, page and rulebooks inside, into dist/
	@.venv/bin/python -m hatchling build -t wheel

release: $(READY) ## Wheel, notes, bills of materials and checksums of what is committed, into dist/
	@.venv/bin/python deploy/release.py

audit: $(PYTHON_READY) ## Ask the registries for known faults of what the lock files name
	@.venv/bin/python deploy/audit.py

lock: $(READY) ## Write requirements.lock anew from pyproject.toml (ARGS=--upgrade for newer versions)
	@.venv/bin/uv pip compile --universal --generate-hashes --no-header --all-extras --group dev \
		--quiet --output-file requirements.lock $(ARGS) pyproject.toml

format: $(READY) ## Format the code and mend what the linter can mend
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .
	@deploy/page format

clean: ## Remove what was made here; matches lie elsewhere and stay
	@rm -rf dist clients/web/dist clients/web/node_modules
	@rm -rf clients/web/test-results clients/web/.svelte-check
	@rm -rf .venv .import_linter_cache .mutation_cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
