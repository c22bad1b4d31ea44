"""Texts from and for a server, made fit to be sent, counted and written."""

from __future__ import annotations

_SHORTEST_SECRET = 8  # characters: a shorter key is a placeholder such as EMPTY, and masking it would change replies
_REASON_LENGTH = 200


def in_digits(number: float) -> str:
    """A number in plain digits, to four decimals: 7, 7.25."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


def without_surrogates(text: str) -> str:
    """`text` with a question mark for each lone surrogate: JSON can hold these, UTF-8 and the harness's files can't."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class Masker:
    """Keeps `secret` out of what is kept of a server's words."""

    def __init__(self, secret: str | None) -> None:
        self._secret = secret if secret and len(secret) >= _SHORTEST_SECRET else None

    def text(self, text: str) -> str:
        """`text`, clean and with asterisks for the secret."""
        clean = without_surrogates(text)
        return clean.replace(self._secret, "***") if self._secret else clean

    def reason(self, text: str) -> str:
        """The beginning of `text` for counting by reason. Masked before it is cut: half a key is one too many."""
        return self.text(text)[:_REASON_LENGTH]
