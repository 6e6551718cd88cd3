PYTHON ?= python3
BIN := .venv/bin

.PHONY: pdfs test matrix proof lint format schema lock pictures answers clean

pdfs: .venv/ready  ## print every game into output/, on both papers
	$(BIN)/pencilbox make --all --paper a4 --paper letter --output output

test: .venv/ready  ## the whole test suite
	$(BIN)/python -m pytest -n auto

matrix: .venv/ready  ## the test suite on every other Python that is installed
	$(BIN)/nox

proof: .venv/ready  ## every rule-breaking change on 2,000 random games of each game
	$(BIN)/python -m benchmarks.games

lint: .venv/ready  ## what ruff and mypy find
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/ready  ## let ruff lay out the code, and mend what it can
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .

schema: .venv/ready  ## publish the definition files' schemas
	$(BIN)/python -m generator.definitions.schema docs/schema

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock:  ## renew requirements.lock (needs pip-tools)
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --no-header --output-file requirements.lock requirements.in

pictures: .venv/ready  ## renew the pictures of README and docs
	$(BIN)/python docs/pictures/render.py

answers: .venv/ready  ## renew the answers in docs/sheets.md
	$(BIN)/python docs/answers.py

clean:
	rm -rf .venv .nox output/*
