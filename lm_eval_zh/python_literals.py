"""A text that a Python file assigns, taken from its syntax: the file is never run."""

from __future__ import annotations

import ast
from pathlib import Path


def assigned_text(source: str, function: str, variable: str) -> str | None:
    """The text that `function` assigns to `variable` first; None if it assigns none, or `source` is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for inner in ast.walk(node):
                match inner:
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))) if (
                        name == variable
                    ):
                        return text
    return None


def keep_assigned_text(path: Path, literal: str) -> None:
    """Replace the Python file `path` by the text that `literal`, `function.variable`, names in it.

    A file without that text stays as it is: it may be the text itself, kept earlier. Raises UnicodeDecodeError for a file
    that is not UTF-8.
    """
    function, _, variable = literal.partition(".")
    text = assigned_text(path.read_text(encoding="utf-8"), function, variable)
    if text is not None:
        path.write_bytes(text.encode())
