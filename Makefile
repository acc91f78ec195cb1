# make play: a game at once. make test: everything checked. Both install what they need into .venv first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# $(call install,PACKAGES): with uv if it is here, which takes seconds; with pip if not, or if uv does not succeed.
UV := $(shell command -v uv || echo .venv/installer/bin/uv)
install = { command -v $(UV) >/dev/null && $(UV) pip install --quiet --python $(BIN)/python $(1); } || $(PIP) install $(1)

.PHONY: play test check scripts audit format bench docs dist load soak messages browser postgres clean

play: .venv/play
	@$(BIN)/malecon

test: .venv/dev scripts browser postgres
	$(BIN)/malecon warm
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

check: .venv/dev
	$(BIN)/ruff format --check src tests benchmarks training website
	$(BIN)/ruff check src tests benchmarks training website
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@$(MAKE) --no-print-directory scripts
	@[ ! -d node_modules ] || npm run --silent check
	@$(BIN)/python -m tests.audit || [ $$? -eq 2 ] # 2: the advisories were not looked up, which the lines above say

# Every requirement is pinned, and none has a known vulnerability. Fails with status 2 if that could not be looked up.
audit: .venv/dev
	$(BIN)/python -m tests.audit

format: .venv/dev
	$(BIN)/ruff format src tests benchmarks training website
	$(BIN)/ruff check --fix src tests benchmarks training website
	@$(MAKE) --no-print-directory scripts
	@[ ! -d node_modules ] || npm run --silent format

# Our engine, environments and search beside the peers'; both write their figures into docs/performance.md.
bench: .venv/dev .venv/peers/ready
	$(BIN)/malecon warm
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/starts.py

# The site of docs/, into build/site. It needs no network, and neither does whoever reads it.
docs: .venv/dev
	$(BIN)/python website/build.py

# Wheel and source archive, built, installed and played elsewhere first: see docs/releasing.md.
dist: .venv/dev
	$(BIN)/python -m pytest tests/test_release.py
	rm -rf dist
	$(BIN)/python -m build --no-isolation

# A thousand tables at once, beside a peer's server; Node is needed for that one.
load: .venv/dev
	$(BIN)/malecon warm
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/pressure.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/lobby.py
	$(BIN)/python benchmarks/page_bots.py

soak: .venv/dev .venv/cluster .venv/learners browser postgres
	$(BIN)/malecon warm
	$(BIN)/python -m pytest -m slow -s

# Collect every message of the sources into the catalogs of the other languages.
messages: .venv/dev
	$(BIN)/python -m malecon.text.extract

# What checks and tests the pages' scripts. Neither playing nor hosting needs it, so a machine without npm can do without.
scripts:
	@command -v npm >/dev/null || echo "npm is not here: scripts and style sheets are not checked, their unit tests not run"
	@! command -v npm >/dev/null || cmp --silent package.json node_modules/installed.json || \
		{ npm install --silent --no-audit --no-fund && cp package.json node_modules/installed.json; }

# The browsers that the table's tests drive: the system's own Chromium and Firefox.
browser:
	@{ command -v chromium && { command -v firefox-esr || command -v firefox; }; } >/dev/null || { \
		as=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$as apt-get update --quiet=2 && $$as apt-get install --quiet=2 --yes chromium firefox-esr >/dev/null; }

# The database server that the tests start for themselves: Debian's own, not running otherwise.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
		as=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$as apt-get update --quiet=2 && $$as apt-get install --quiet=2 --yes postgresql >/dev/null; }

clean:
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Malecón needs Python 3.11 or newer; say which with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(UV) venv --quiet --seed --allow-existing --python $(PYTHON) .venv 2>/dev/null || $(PYTHON) -m venv .venv

# uv, in a folder of its own: the program does not need it. A machine that cannot get it installs with pip.
.venv/installer: requirements-installer.txt | .venv/bin/python
	@command -v uv >/dev/null || $(PIP) install --no-deps --upgrade --target $@ -r requirements-installer.txt || true
	@mkdir -p $@ && touch $@

.venv/play: requirements.txt pyproject.toml | .venv/installer
	@echo "Installing what Malecón needs …"
	@$(call install,-r requirements.txt)
	@$(call install,--no-deps --editable .)
	@touch $@

# OpenSpiel stays out of the way of the program; to let it play in the arena: PYTHONPATH=.venv/rivals malecon arena …
.venv/dev: requirements-dev.txt requirements-docs.txt requirements-postgres.txt requirements-rivals.txt .venv/play
	@$(call install,-r requirements-dev.txt -r requirements-docs.txt -r requirements-postgres.txt)
	$(PIP) install --no-deps --upgrade --target .venv/rivals -r requirements-rivals.txt
	@touch $@

# Ray is big, and only the soak starts clusters.
.venv/cluster: requirements-cluster.txt .venv/dev
	@$(call install,-r requirements-cluster.txt)
	@touch $@

# Learning libraries, which want other versions of much; only the soak looks there. PyTorch is yours to install.
.venv/learners: requirements-learners.txt | .venv/dev
	$(PIP) install --no-deps --upgrade --target $@ -r requirements-learners.txt
	@touch $@

# What only the benchmarks look at, one by one: a peer that cannot be had here is missing in their tables, and named.
.venv/peers/ready: requirements-peers.txt | .venv/dev
	@mkdir -p .venv/peers
	@sed 's/#.*//' requirements-peers.txt | xargs -n 1 $(PIP) install \
		--no-deps --upgrade --target .venv/peers || echo "Not every peer could be installed; make bench will say which."
	@touch $@
