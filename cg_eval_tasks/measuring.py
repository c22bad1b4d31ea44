"""Gscore of all replies of a task at once, against the references a run is given."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lm_eval.api.instance import Instance
from zh_metrics.gscore import Gscore, GscoreSettingsError, PairScore, VectorCache, gscore_settings
from zh_metrics.thinking import answer_of

from cg_eval_tasks.catalog import ARITHMETIC, CALCULATIONS, EXPLANATIONS
from cg_eval_tasks.final_answers.equivalence import PACKAGE, is_available
from cg_eval_tasks.questions import SAMPLE, Key, Question, questions, questions_file
from cg_eval_tasks.references import Reference, References, listed, read_references
from lm_eval_zh.replies import MissingReply
from lm_eval_zh.run_signature import package_version
from lm_eval_zh.sources import SourceError, cache_folder, user_path

log = logging.getLogger(__name__)

REFERENCES, GSCORE = "cg_eval_references", "gscore"  # settings in --metadata

_CALCULATION_METRICS = ("arithmetic_acc", "format_ok", "extraction_failed")  # which need no references
_EXPLANATION_METRICS = ("length_ratio",)


class MeasuredReply(str):
    """A reply with its reference, and its Gscore by text scored. A text like any other to the harness."""

    reference: Reference | None = None
    scores: Mapping[str, PairScore] = {}
    """Of the reply as it is, and of the reply without thinking."""

    @classmethod
    def of(cls, reply: str, reference: Reference | None, scores: Mapping[str, PairScore]) -> MeasuredReply:
        """`reply`, measured."""
        measured = cls(reply)
        measured.reference = reference
        measured.scores = scores
        return measured


class GscoreMeasuring:
    """The references and the encoder of one task in one run. A `Measuring`.

    `cg_eval_references` in the run's metadata names the file of references, `gscore` has fields of `GscoreSettings`. Without
    references nothing is measured. The encoder is loaded here, before generation, where the task has explanations to score.

    Raises SourceError for references that can't be read, or that fit no question of the task; GscoreSettingsError and
    EncoderError for settings and encoders that can't be used.
    """

    def __init__(self, metadata: Mapping[str, Any], collection: str, category: str | None = None) -> None:
        given = metadata.get(GSCORE) or {}
        if not isinstance(given, Mapping):
            raise GscoreSettingsError(f"the setting {GSCORE!r}: expected an object, got {type(given).__name__}")
        settings = gscore_settings(given)
        asked = [question for question in questions(collection) if category in (None, question.category)]
        self._types = {question.key.question_type for question in asked}
        self._path = _references_path(metadata, collection)
        self._references = _references(self._path, collection, asked) if self._path else None
        self._keys = _referred([question.key for question in asked])
        explains = not self._types.isdisjoint(EXPLANATIONS)
        self._gscore = (
            Gscore(settings, VectorCache(cache_folder() / "vectors")) if self._references and explains else None
        )

    def measure(self, instances: Sequence[Instance], candidate: str) -> None:
        """Score the first reply of each instance, all in one go, and put the measured one in its place."""
        if self._references is None:
            return
        replies = [instance for instance in instances if not isinstance(instance.resps[0], MissingReply)]
        references = [self._reference_of(instance.doc) for instance in replies]
        wanted = [self._pairs_of(*of_reply) for of_reply in zip(replies, references, strict=True)]
        scores = self._scores(list(dict.fromkeys(pair for pairs in wanted for pair in pairs)))
        for instance, reference, pairs in zip(replies, references, wanted, strict=True):
            own = {text: scores[text, answer] for text, answer in pairs}
            instance.resps[0] = MeasuredReply.of(instance.resps[0], reference, own)

    def _pairs_of(self, instance: Instance, reference: Reference | None) -> list[tuple[str, str]]:
        """What of a reply is to be scored, as it is and without thinking, beside its reference."""
        if reference is None or instance.doc["question_type"] not in EXPLANATIONS:
            return []
        reply = str(instance.resps[0])
        return [(reply, reference.answer), (answer_of(reply), reference.answer)]

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], PairScore]:
        if not pairs or not self._gscore:
            return {}
        predictions, answers = zip(*pairs, strict=True)
        return dict(zip(pairs, self._gscore.pairs(predictions, answers), strict=True))

    def reports(self, metric: str) -> bool:
        """What can be had: Gscore and its parts need references, Gscore and similarity an encoder too."""
        calculates, explains = (not self._types.isdisjoint(kinds) for kinds in (CALCULATIONS, EXPLANATIONS))
        if metric in _CALCULATION_METRICS:
            return calculates
        if metric in _EXPLANATION_METRICS:
            return explains
        referenced = self._references is not None
        with_similarity = not self._gscore or self._gscore.settings.similarity == "on"
        if metric == "calculation_acc":
            return referenced and calculates
        if metric in PairScore._fields[:3]:
            return referenced and explains
        if metric == "similarity":
            return referenced and explains and with_similarity
        if metric.startswith("gscore"):
            return referenced and with_similarity
        return referenced or metric != "reference_missing"

    def report(self) -> dict[str, Any]:
        """For the results file: which references there are, and which are missing."""
        if self._references is None:
            return {}
        missing = self._references.missing(self._keys)
        return {
            "references": {
                "path": str(self._path),
                "digest": self._references.digest,
                "needed": len(self._keys),
                "with_reference": len(self._keys) - len(missing),
                "missing": listed(missing),
            }
        }

    def signature_fields(self) -> dict[str, str]:
        """The references' digest, and what the metric depends on."""
        if self._references is None:
            return {"references": "none"}
        fields = {"references": self._references.digest}
        if not self._types.isdisjoint(CALCULATIONS):
            fields["formulas"] = f"math-verify {package_version('math-verify')}" if is_available() else "as_text"
        return {**fields, **(self._gscore.signature_fields() if self._gscore else {})}

    def _reference_of(self, doc: Mapping[str, Any]) -> Reference | None:
        assert self._references
        return self._references.by_key.get(Key(doc["subject"], doc["question_type"], doc["index"]))


def _references_path(metadata: Mapping[str, Any], collection: str) -> Path | None:
    given = metadata.get(REFERENCES)
    if given is None:
        return questions_file(SAMPLE) if collection == SAMPLE else None  # the sample's references are its own
    if not isinstance(given, str) or not given.strip():
        raise SourceError(f"the setting {REFERENCES!r}: expected the path of a file, got {given!r:.80}")
    return user_path(given, REFERENCES)


def _referred(keys: Sequence[Key]) -> list[Key]:
    """The questions that references are for: the results of arithmetic are computed."""
    return [key for key in keys if key.question_type != ARITHMETIC]


def _references(path: Path, collection: str, asked: Sequence[Question]) -> References:
    found = read_references(path, [question.key for question in questions(collection)])
    keys = _referred([question.key for question in asked])
    missing = found.missing(keys)
    if len(missing) == len(keys):
        raise SourceError(f"{path}: no reference to any of the {len(keys)} questions of this task that need one")
    if missing:
        log.warning(
            "%s: %d of the %d questions that need a reference (arithmetic does not) have none: %s",
            path,
            len(missing),
            len(keys),
            listed(missing),
        )
    if not is_available() and any(key.question_type in CALCULATIONS for key in keys):
        log.warning(
            "%s is not installed: formulas are compared as texts and numbers; pip install 'lm-eval-zh[math]'", PACKAGE
        )
    return found
