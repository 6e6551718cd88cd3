PYTHON ?= python3
BIN := .venv/bin

.PHONY: pdfs test matrix proof fuzz lint format schema lock docs pictures studio-pictures answers clean

pdfs: .venv/ready  ## print every game into output/, on both papers
	$(BIN)/pencilbox make --all --paper a4 --paper letter --output output

test: .venv/ready  ## run the whole test suite
	$(BIN)/python -m pytest -n auto --dist worksteal

matrix: .venv/ready  ## run the test suite on every other Python that is installed
	$(BIN)/nox

proof: .venv/ready  ## try every rule-breaking change on 2,000 random games of each game
	$(BIN)/python -m benchmarks.games

SECONDS ?= 3600
START ?= 0
fuzz: .venv/ready  ## damage files of every kind for an hour, or SECONDS=…, and run commands on them
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --start $(START)

lint: .venv/ready  ## check style and types with ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/ready  ## format the code with ruff
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .

schema: .venv/ready  ## renew the JSON Schemas of the definition files
	$(BIN)/python -m docs.publish_schema docs/schema

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock:  ## renew requirements.lock (needs pip-tools)
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --no-header --output-file requirements.lock requirements.in

pictures: .venv/ready  ## renew the pictures in README and docs
	$(BIN)/python docs/pictures/render.py

studio-pictures: .venv/ready  ## renew the pictures of docs/studio.md (needs Chromium)
	STUDIO_PICTURES=$(CURDIR)/docs/pictures $(BIN)/python -m pytest -n0 tests/studio/test_pages.py tests/studio/test_photos.py

docs: .venv/ready  ## build the documentation as a site with search: site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open site/index.html"

answers: .venv/ready  ## renew the output of commands and the answers shown in docs/
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/answers.py
	$(BIN)/python docs/python_api.py

clean:
	rm -rf .venv .nox site output/*
