"""Puts one finder on `sys.meta_path`, which acts when the harness is imported and at no other time.

A `.pth` file imports this module whenever the interpreter starts, so it imports nothing but `sys` and `os`, stays short
(without cached bytecode it is compiled at each start) and raises nothing. What it does to the harness: `_hooks`.
"""

import os
import sys

HOOKED = ("lm_eval.tasks.manager", "lm_eval.models", "lm_eval.evaluator")


class Finder:
    """Finds the modules of `HOOKED` as the other finders do, and has our hook run after they are executed."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name not in HOOKED:
            return None
        try:
            from lm_eval_zh._hooks import find_spec
        except Exception:  # noqa: BLE001 - a damaged installation of ours must not keep the harness from being imported
            return None
        return find_spec(name, path, target)


# "0" turns it off; any import of this module after the first finds the finder in place.
if os.environ.get("LM_EVAL_ZH_AUTOLOAD") != "0":
    sys.meta_path.insert(0, Finder)
    for name in HOOKED:
        if sys.modules.get(name):
            from lm_eval_zh._hooks import hook

            hook(sys.modules[name])
