# Two commands matter: `make demo` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench check lock messages clean

demo: $(VENV)/.run
	$(BIN)/python manage.py demo

test: $(VENV)/.dev
	$(BIN)/python tests/run.py

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.run

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python manage.py makemigrations --check --dry-run
	PUBLIC_URL=https://claims.example.org $(BIN)/python manage.py check --deploy --fail-level WARNING

lock: $(VENV)/.dev
	$(BIN)/uv pip compile --generate-hashes --no-header -q requirements.in -o requirements.txt
	$(BIN)/uv pip compile --generate-hashes --no-header -q requirements-milvus.in -o requirements-milvus.txt
	$(BIN)/uv pip compile --generate-hashes --no-header -q requirements-dev.in -o requirements-dev.txt

# Texts that are new in the code come into the Czech catalogue, to be translated; then again.
messages: $(VENV)/.dev
	$(BIN)/python manage.py makemessages -l cs --no-location --no-obsolete --ignore=.venv --ignore=data
	$(BIN)/python manage.py compilemessages -l cs --ignore=.venv

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Python 3.11 or newer is needed; PYTHON=/path/to/python3.11 make ... names one."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing; on Debian: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --disable-pip-version-check --require-hashes --progress-bar on -q -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --disable-pip-version-check --require-hashes --progress-bar on -q -r requirements-dev.txt
	@touch $@

# What `make demo` made. It marks its data by the file data/demo; any other data is somebody's work.
clean:
	@if [ -e data ] && [ ! -e data/demo ] && \
	  [ -n "$$(find data/ -mindepth 1 -maxdepth 1 ! -name secret_key ! -name static)" ]; then \
	  echo "data/ is not the demo's (it has no file data/demo), so nothing was removed."; \
	  echo "If you do not need it, keep a backup (manage.py backup DIR) and remove it by hand."; \
	  exit 1; fi
	rm -rf $(VENV) data
