"""A sentence-transformers model as a Gscore uses it: texts cut into windows that it takes whole, windows made vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zh_metrics.gscore.settings import EncoderError, GscoreSettings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

_PROBE = "你好"
_CHUNK = 2**20  # bytes read at once
_HELP = (
    "Name a sentence-transformers model that can be reached, as a name on the Hugging Face Hub or a folder, in the "
    'Gscore setting "encoder"; or set "similarity" to "off" for the three lexical parts without a Gscore'
)


class Encoder:
    """Makes vectors of texts. Loading is part of construction, so that a model that can't be had is missed at once.

    Raises EncoderError with the reason and what to do.
    """

    def __init__(self, settings: GscoreSettings) -> None:
        self._settings = settings
        self._folder = Path(settings.encoder).expanduser() if _is_folder(settings.encoder) else None
        try:
            self._model = self._load()
            self._window = self._longest_window()
            self.dimensions = int(self.encode([_PROBE]).shape[1])
        except EncoderError:
            raise  # which says what to do
        except Exception as error:  # sentence-transformers raises Exception itself for a missing backend
            how = f"{settings.backend}, {settings.dtype}, device {settings.device or 'chosen by itself'}"
            raise EncoderError(f"encoder {settings.encoder!r} ({how}): {_reason(error)}. {_HELP}") from error
        self.identity = self._identity()

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        """Each text cut into pieces that the encoder takes whole; a text that fits is its one window.

        Windows begin `stride` tokens apart. The last one reaches back to be as long as the others: a tail of a few tokens
        would weigh as much as a whole window in their mean.
        """
        window = self._window
        if window is None or not texts:
            return [[text] for text in texts]
        # A token is at least a byte long: what has fewer needs no counting.
        long = [position for position, text in enumerate(texts) if len(text.encode(errors="replace")) > window]
        cut = dict(zip(long, self._cut([texts[position] for position in long], window), strict=True))
        return [cut.get(position, [text]) for position, text in enumerate(texts)]

    def encode(self, windows: Sequence[str]) -> Vectors:
        """One vector per window, of shape (windows, dimensions).

        Raises EncoderError for a vector that isn't finite: half precision overflows on some devices.
        """
        vectors = np.asarray(
            self._model.encode(
                list(windows), batch_size=self._settings.batch_size, show_progress_bar=False, convert_to_numpy=True
            ),
            dtype=np.float32,
        )
        if not np.isfinite(vectors).all():
            raise self._error("a vector that isn't finite; use the dtype float32")
        return vectors

    def signature_fields(self) -> dict[str, str]:
        """What a vector depends on."""
        window = self._window or 0
        return {
            "encoder": self.identity,
            "window": str(window or "all"),
            "stride": str(self._stride(window) if window else "all"),
            "dtype": self._settings.dtype,
            "backend": self._settings.backend,
        }

    def _load(self) -> SentenceTransformer:
        from sentence_transformers import SentenceTransformer  # takes seconds to import: only who encodes waits

        settings = self._settings
        given: dict[str, Any] = {"dtype": settings.dtype} if settings.backend == "torch" else {}
        return SentenceTransformer(
            str(self._folder or settings.encoder),
            device=settings.device,
            revision=settings.revision,
            backend=settings.backend,
            model_kwargs=given,
            trust_remote_code=False,
        )

    def _longest_window(self) -> int | None:
        """Tokens of a window beside those the model adds; None for a model that takes texts of any length."""
        most = self._model.max_seq_length
        asked = self._settings.window
        if not isinstance(most, int):
            if asked:
                raise self._error("it takes texts of any length: leave the setting 'window' out")
            return None
        takes = most - int(self._model.tokenizer.num_special_tokens_to_add())
        if asked and asked > takes:
            raise self._error(f"it takes {takes} tokens at once: set 'window' to that or less, not to {asked}")
        if self._settings.stride and self._settings.stride > (asked or takes):
            raise self._error(
                f"a stride of {self._settings.stride} leaves tokens out of windows of {asked or takes}: set 'stride' to that or less"
            )
        return asked or takes

    def _error(self, problem: str) -> EncoderError:
        return EncoderError(f"encoder {self._settings.encoder!r}: {problem}")

    def _stride(self, window: int) -> int:
        return self._settings.stride or window

    def _cut(self, texts: Sequence[str], window: int) -> Iterator[list[str]]:
        if not texts:
            return
        tokenizer = self._model.tokenizer
        if not getattr(tokenizer, "is_fast", False):
            raise self._error(
                f"its tokenizer does not tell where tokens stand in a text, so that "
                f"texts longer than {window} tokens can't be cut; use another encoder"
            )
        tokens = tokenizer(
            list(texts),
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            verbose=False,
        )
        for text, places in zip(texts, tokens["offset_mapping"], strict=True):
            if len(places) <= window:
                yield [text]
                continue
            last = len(places) - window
            starts = dict.fromkeys((*range(0, last, self._stride(window)), last))
            pieces = (text[places[start][0] : places[start + window - 1][1]] for start in starts)
            yield [piece for piece in pieces if piece.strip()] or [text]

    def _identity(self) -> str:
        """The model's name with its commit on the Hub, or the folder's with a digest of its files."""
        if self._folder:
            return f"{self._folder.resolve().name}@{_folder_digest(self._folder)}"
        return f"{self._settings.encoder}@{_commit(self._settings.encoder, self._settings.revision)}"


def _is_folder(name: str) -> bool:
    try:
        return Path(name).expanduser().is_dir()
    except (OSError, RuntimeError):  # no home folder for ~user, a name too long
        return False


def _folder_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode(errors="replace"))
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:8]


def _commit(name: str, revision: str | None) -> str:
    """The commit of a model in the Hub's cache, or what was asked for where that does not say it."""
    from huggingface_hub import try_to_load_from_cache

    names = (name, f"sentence-transformers/{name}")  # where sentence-transformers looks for a name without owner
    for repository in names if "/" not in name else names[:1]:
        for file in ("modules.json", "config.json"):
            found = try_to_load_from_cache(repository, file, revision=revision)
            if isinstance(found, str):
                return Path(found).parent.name[:8]
    return revision or "main"


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
