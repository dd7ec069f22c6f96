# `make play` and `make test` need only Python 3.11+ and make: they build .venv first (uv where present).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test check lint format bench soak lock golden docs pictures clean

play: .venv/ready
	@$(BIN)/farfadet

# Half of the tests wait for brokers and terminals: two workers a core.
test: .venv/ready
	$(BIN)/python -m pytest --dist worksteal -n $$($(BIN)/python -c "import os; print(2 * os.cpu_count())")

check: .venv/ready lint test

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Figures, not checks: JSON on stdout.
bench: .venv/bench
	@$(BIN)/python -m tests.bench

# As many simulated games as you like, or as the night allows: make soak GAMES=10000 MINUTES=480
GAMES ?= 2000
MINUTES ?= 100000
soak: .venv/ready
	$(BIN)/python -m pytest -m nightly --dist worksteal -n auto
	$(BIN)/python -m tests.sim --games $(GAMES) --minutes $(MINUTES) --toy

# Rewrites the golden play-throughs and text frames; read the diff before you commit it.
golden: .venv/ready
	FARFADET_GOLDEN=write $(BIN)/python -m pytest -q -m '' tests/rules tests/tui tests/plain -k golden

# Writes the pages of docs/ that are made from the code.
docs: .venv/ready
	$(BIN)/python -m tui.manual

# Draws the pictures in docs/ anew.
pictures: .venv/ready
	$(BIN)/python -m tests.tui.pictures

# Rewrites the locks from pyproject.toml (needs uv); what only the benches need has one of its own.
COMPILE := uv pip compile --universal --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links --quiet
lock:
	$(COMPILE) pyproject.toml --group dev --output-file requirements.lock
	$(COMPILE) --group bench --output-file requirements-bench.lock

.venv/ready: requirements.lock pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
		uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock && \
		uv pip install --quiet --python $(BIN)/python --no-deps -e . ; \
	else \
		$(PYTHON) -m venv .venv && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e . ; \
	fi
	@touch $@

.venv/bench: .venv/ready requirements-bench.lock
	@if command -v uv >/dev/null 2>&1; then \
		uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-bench.lock ; \
	else \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock ; \
	fi
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
