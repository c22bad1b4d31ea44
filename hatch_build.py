"""Build hook: compiles at `pip install -e .` what the interpreter imports at every start.

A wheel's files are compiled by pip. An editable install's are not, and where PYTHONDONTWRITEBYTECODE is set, as in many
containers, they would be compiled anew at each start, which takes several times longer than all else we do there.
"""

import py_compile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileStartup(BuildHookInterface):  # type: ignore[misc, type-arg]
    """Leaves wheels as they are; writes bytecode beside the two start-up modules for an editable install."""

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "editable":
            for module in ("__init__.py", "_autoload.py"):
                py_compile.compile(str(Path(self.root, "lm_eval_zh", module)))
