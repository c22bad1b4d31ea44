"""A report as one HTML file that needs no network.

What models and judges wrote is data to the page: it lies in blocks of JSON in which no tag can end, the scripts put it into
the page as text only, and a content security policy lets nothing run but our scripts, which it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files as package_files
from typing import Any

from lm_eval_zh.report.as_json import report_record
from lm_eval_zh.report.contents import Report
from lm_eval_zh.report.questions import index_record, text_pieces

_SCRIPTS = (
    "vendor/chart.umd.min.js", "page.js", "figures.js", "frame.js", "charts.js", "filters.js", "browser.js", "main.js",
)  # fmt: skip
_STYLE = "report.css"
_MARKER = re.compile(r"<!-- (policy|style|data|scripts) -->")


def html(report: Report) -> str:
    """The whole page."""
    style = _asset(_STYLE)
    scripts = [_asset(name) for name in _SCRIPTS]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_digest, scripts))}",
            f"style-src {_digest(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    filled = {
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        "style": f"<style>{style}</style>",
        "data": "\n".join(_data_blocks(report)),
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    return _MARKER.sub(lambda marker: filled[marker[1]], _asset("report.html"))


def _data_blocks(report: Report) -> Iterator[str]:
    yield _block("strings", json.loads(_asset("strings.json")))
    yield _block("report", report_record(report))
    for number, section in enumerate(report.sections):
        yield _block(f"index-{number}", index_record(section))
        for place, piece in enumerate(text_pieces(section)):
            yield _block(f"texts-{number}-{place}", piece)


def _block(name: str, value: Mapping[str, Any] | list[Any]) -> str:
    """JSON that holds no `<`, so that no text in it ends the block or opens a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="data-{name}">{text}</script>'


def _asset(name: str) -> str:
    return package_files("lm_eval_zh.report").joinpath(f"assets/{name}").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
