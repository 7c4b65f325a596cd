# Every target works from a clean clone: it creates the environment first if need be.
# The first interpreter found that is new enough; set PYTHON=path/to/python for another.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
# Tests and benchmarks run in as many processes as there are processors.
export OPENBLAS_NUM_THREADS ?= 1
# They start many processes, each of which would compile the project again without its bytecode.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/.tools
RIVALS := $(VENV)/.rivals
DOCS := $(VENV)/.docs
AUDITORS := build/rivals-validity
SYNTHESIS := build/rivals-discovery
AXE := build/browser/node_modules/axe-core/axe.min.js

COQ := coq libcoq-mathcomp-algebra

.PHONY: audit verify verify-formal test test-quick test-slow test-browser lint docs bench-audit bench-scores bench-proofs bench-discovery bench-start bench-first-use bench-validity bench-search bench-leaks bench-limit bench-museum bench-atlas bench-prove bench-dprivbench reproduce bench-reproduce weight journey release-check screenshot notebook clean

audit: $(STAMP)
	$(BIN)/provado audit --catalogue --libraries --out out

# Every published claim, decided anew; leaves out/verify.html.
verify: $(STAMP)
	$(BIN)/provado verify --out out

# Every theorem compiled by Coq and held against its claim, and the definitions compared with Python;
# some 3 minutes, 2 with FORMAL='formal and not slow', which leaves out what counts long.
FORMAL ?= formal
verify-formal: $(TOOLS)
	@command -v coqc >/dev/null \
		|| { command -v apt-get >/dev/null && test "$$(id -u)" = 0 \
			&& apt-get update -qq && apt-get install -y -qq $(COQ) >/dev/null; } \
		|| { echo "no Coq: install version 8.16 or later with mathcomp; on Debian $(COQ)" >&2; exit 2; }
	$(BIN)/python -m pytest -q -m '$(FORMAL)' tests/proofs/formal

# A file stays in one worker, which makes what its tests share once; in the order of their names, so
# that no long file is the last.
FILES := -n 2 --dist loadfile --no-loadscope-reorder

test: $(TOOLS)
	$(BIN)/python -m pytest $(FILES) -q

# The tests of the rooms changed, and of those above, that fit into a minute.
test-quick: $(TOOLS)
	$(BIN)/python -m tools.quick_tests

test-slow: $(DOCS)
	$(BIN)/python -m pytest -n 2 -q -m slow

# The pages in headless Chromium, some 2 minutes; CHROMIUM=path names a browser elsewhere.
test-browser: $(TOOLS) $(AXE)
	@test -n "$$CHROMIUM" \
		|| command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium; } \
		|| { echo "no browser: install chromium or set CHROMIUM=path" >&2; exit 2; }
	$(BIN)/python -m pytest -q -m browser tests/browser

$(AXE):
	mkdir -p build/browser
	npm install --prefix build/browser --no-fund --no-audit --ignore-scripts axe-core@4.10

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src/provado
	$(BIN)/python -m tools.phrases

# Lines of product code by folder and by cause; then the files and functions that three commands run
# through.
weight: $(STAMP)
	@$(BIN)/python -m tools.weight

journey: $(STAMP)
	@$(BIN)/python -m tools.journey

# Both distributions built from the tracked files, installed into empty environments of Python 3.11 to
# 3.13 and used there; some 10 minutes.
release-check: $(STAMP)
	$(BIN)/python -m tools.release_check

# The pictures of reports in the README and in the documentation's gallery, taken in headless Chromium.
screenshot: $(TOOLS)
	$(BIN)/python -m tools.screenshot

# Runs the cells of the documentation's notebook anew and keeps their outputs.
notebook: $(TOOLS)
	$(BIN)/python -m tools.notebook

# The documentation into build/site (its search needs a server: mkdocs serve): warnings are errors,
# the notebook runs and the ledger is decided anew. `make test` runs its examples.
docs: $(DOCS)
	$(BIN)/python -m tools.notebook
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(DOCS): $(TOOLS)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

# Times the auditor against limits computed in the same run; some 20 minutes.
bench-audit: $(TOOLS)
	$(BIN)/python -m benchmarks.audit_bars --write

# Speed, memory and accuracy of the dependence scores against rivals timed in the same run; 2 minutes.
bench-scores: $(TOOLS)
	$(BIN)/python -m benchmarks.score_bars

# The exact algebra, the whole ledger and the causal definitions, timed; 1 minute.
bench-proofs: $(TOOLS)
	$(BIN)/python -m benchmarks.proof_bars
	$(BIN)/python -m benchmarks.causal_bars

# Conditional τ, Priv-PC, PC and RCIT against rivals timed in the same run; then noisy tables against
# every repaired method at equal totals, how often arrows are right, PC on synthetic data, all into
# benchmarks/results, and how bins are best cut.
bench-discovery: $(RIVALS) $(SYNTHESIS)/.made
	$(BIN)/python -m benchmarks.discovery_bars
	$(BIN)/python -m benchmarks.tables_bars --write
	$(BIN)/python -m benchmarks.arrow_bars --write
	$(BIN)/python -m benchmarks.discovery_rivals --write
	$(BIN)/python -m benchmarks.bins_bars

# The papers' experiments in full, an hour at most on two processors. Their pages go to build/papers,
# from where `make docs` adds them to the site. A run that was interrupted continues where it was.
reproduce: $(TOOLS)
	$(BIN)/provado reproduce --all --pages build/papers

# The quick set of them: time, the same bytes for a seed, and a run that is killed; 6 minutes.
bench-reproduce: $(TOOLS)
	$(BIN)/python -m benchmarks.reproduce_bars

# Start-up of the command line in times of importing numpy; half a minute.
bench-start: $(TOOLS)
	$(BIN)/python -m benchmarks.start_bars

# From an empty environment to a planted bug found, as a new user would; 4 minutes.
bench-first-use: $(TOOLS)
	$(BIN)/python -m benchmarks.first_use

# False alarms at 95 %, of this auditor and of others, planted certificates, kill -9; 25 to 50 minutes,
# into benchmarks/results.
bench-validity: $(TOOLS) $(AUDITORS)/.made
	$(BIN)/python -m benchmarks.validity_bars --rivals $(AUDITORS)

# Worst neighbors from a domain alone, forty programs, rare leaks, code from the field, the same beside
# busy loops, every kind of leak, audits of few runs; the first three into benchmarks/results.
bench-search: $(TOOLS)
	$(BIN)/python -m benchmarks.search_bars
	$(BIN)/python -m benchmarks.coverage_bars
	$(BIN)/python -m benchmarks.leak_bars
	$(BIN)/python -m benchmarks.few_runs_bars

# Every type of output with a bare record in it: none passes, no negative control is a violation; 5
# minutes.
bench-leaks: $(TOOLS)
	$(BIN)/python -m benchmarks.type_bars

# One run with many interventions beside jax-privacy's bounds, slips of DP-SGD in few trainings (in
# Opacus and JAX Privacy, too, where the atlas has installed them), workers here and of Dask, memory,
# searches in tables of up to a million records, and kill -9 with --resume; into benchmarks/results. A
# thousand million trials and two hundred kills:
# python -m benchmarks.limit_bars memory resume --full --kills 200.
bench-limit: $(TOOLS) $(AUDITORS)/.made
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dask]'
	$(BIN)/python -m benchmarks.limit_bars --rivals $(AUDITORS) --write
	$(BIN)/python -m benchmarks.curve_bars

# All questions of DPriv-Bench on its functions 1 to 25, with their verdicts and times; 2 minutes.
bench-dprivbench: $(TOOLS)
	$(BIN)/python -m benchmarks.dprivbench --write

# CheckDP's programs, those of dpest's report, the catalogue's and broken ones, proved or refuted, into
# benchmarks/results, 8 minutes; then counterfactual replays: faults found, sound programs left
# alone. CVC5=python, an interpreter with the package cvc5, has it replay the conditions.
bench-prove: $(TOOLS)
	$(BIN)/python -m benchmarks.prove_bars --write $(if $(CVC5),--cvc5 $(CVC5))
	$(BIN)/python -m benchmarks.replay_bars --audit

# Released versions with known flaws and their successors, each in an environment of its own, which
# is made once; 25 minutes, into benchmarks/results.
bench-museum: $(TOOLS)
	$(BIN)/python -m benchmarks.museum

# What released libraries promise, audited: each in an environment of its own, which is made once. Rows
# that are recorded in benchmarks/results/atlas.json are not audited again; ONLY=NAME for one package.
bench-atlas: $(TOOLS)
	$(BIN)/python -m benchmarks.atlas $(ONLY)

# The other auditors need versions of their own; the table says why one is not there.
$(AUDITORS)/.made:
	$(PYTHON) -m venv $(AUDITORS)
	for package in jax-privacy==2.0.0 dp-auditorium; do \
		$(AUDITORS)/bin/pip install --quiet --disable-pip-version-check $$package \
			> $(AUDITORS)/$${package%%=*}.log 2>&1 || true; done
	touch $@

# MST alone is used of smartnoise-synth, whose own requirements include PyTorch.
$(SYNTHESIS)/.made:
	$(PYTHON) -m venv $(SYNTHESIS)
	$(SYNTHESIS)/bin/pip install --quiet --disable-pip-version-check 'mbi>=1.1,<2' 'disjoint-set<0.10' \
		'opendp<0.15' 'pandas<3' antlr4-python3-runtime==4.9.3 Faker PyYAML sqlalchemy networkx \
		scikit-learn statsmodels matplotlib pydot graphviz tqdm momentchi2
	$(SYNTHESIS)/bin/pip install --quiet --disable-pip-version-check --no-deps 'causal-learn>=0.1.4' \
		smartnoise-synth==1.0.8 smartnoise-sql==1.0.10
	touch $@

$(RIVALS): $(TOOLS)
	$(BIN)/pip install --quiet --disable-pip-version-check pydot graphviz tqdm momentchi2
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps 'causal-learn>=0.1.4'
	touch $@

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "provado needs Python 3.11 or later; set PYTHON=path/to/python" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[libraries,accounting,pandas]'
	touch $@

# What tests, lint and benchmarks need beyond that; `make audit` does not wait for it.
$(TOOLS): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[libraries,accounting,pandas,parquet,pictures,test,lint]'
# Of these two only data files are read; what the packages themselves need is large.
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps 'cdt>=0.6' 'pgmpy>=1.0'
	touch $@

clean:
	rm -rf $(VENV) build dist out *.egg-info
