"""The HTTP client of a judge, made from settings and environment; what is wrong with these is said when it is made."""

from __future__ import annotations

import os

from openai import AsyncOpenAI, DefaultAioHttpClient

from zh_metrics.judge.settings import NO_KEY, JudgeSettings, JudgeSettingsError, api_key, key_variable
from zh_metrics.judge.texts import Masker

# What openai's package and its transport read from the environment, for a message that says where to look.
_VARIABLES = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
    *("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"),
)  # fmt: skip


def new_client(settings: JudgeSettings) -> AsyncOpenAI:
    """A client, to be closed by the caller.

    Raises JudgeSettingsError, which never holds the key, for a key that can't be sent, or for variables of the
    environment or a `base_url` of which no client can be made.
    """
    key = api_key()
    if not (key.isascii() and key.isprintable() and key.strip() == key):
        raise JudgeSettingsError(
            f"{key_variable()}: a key can't be sent with blanks around it, line breaks or letters beyond ASCII; "
            "copy it anew"
        )
    try:
        client = AsyncOpenAI(
            api_key=key,
            base_url=settings.base_url,
            timeout=settings.timeout,
            max_retries=0,  # ours know of the budget, and slow all requests down where the server asks for it
            http_client=DefaultAioHttpClient(),
        )
        for name, value in client.default_headers.items():
            if isinstance(value, str) and not value.isprintable():
                raise ValueError(f"the header {name} can't be sent")
    except Exception as error:  # noqa: BLE001 - errors for bad proxies, certificates and addresses share no class
        where = [name for name in _VARIABLES if os.environ.get(name)]
        problem = masker().reason(f"{type(error).__name__}: {error}")
        raise JudgeSettingsError(
            f"no client can be made for 'base_url' {settings.base_url!r:.80} "
            f"(see also the variables {', '.join(where) or 'of proxies and certificates, none is set'}): {problem}"
        ) from None
    return client


def masker() -> Masker:
    """What keeps the key of the environment out of texts."""
    key = api_key()
    return Masker(None if key == NO_KEY else key)
