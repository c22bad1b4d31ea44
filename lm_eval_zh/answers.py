"""`--model answers`: a harness model that replays recorded replies, so that they go through the very same tasks."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NoReturn

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from lm_eval_zh.recorded import RecordedReply, read_recorded
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.sources import user_path
from lm_eval_zh.task import MissingReply, ReplayedReply

log = logging.getLogger(__name__)

_ALIKE = 0.95  # the four questions corrected so far keep 0.97 and more of their text
_NAMED = 10  # how many questions or replies a message names before it only counts them


class AnswersError(ValueError):
    """The recorded replies and the questions of the task do not fit together."""


class RecordedAnswers(LM):  # type: ignore[misc]
    """Gives the recorded reply to each question.

    `path`: a file or folder as `read_recorded` takes it. `missing`: "error" refuses questions without a reply and replies
    without a question; "skip" leaves both out and counts them, the former in the task's `reply_missing`, both in the
    results file under `config`.
    """

    tokenizer_name = ""

    def __init__(self, path: str | Path | None = None, missing: str = "error", **_: Any) -> None:
        super().__init__()
        if not path:
            raise AnswersError("--model answers needs --model_args path=FILE_OR_FOLDER with the recorded replies")
        if missing not in ("error", "skip"):
            raise AnswersError(f"missing={missing}: expected error or skip")
        self._path = user_path(str(path), "path")
        self._skip = missing == "skip"
        self._replies = read_recorded(self._path)
        self._counts: dict[str, int] = {}

    def generate_until(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[str]:
        """The reply to each request's document; a MissingReply where there is none and `missing=skip`.

        Raises AnswersError naming the questions and records concerned if replies are missing, contradict each other or
        belong to no question.
        """
        asked = [self._document_id(request) for request in requests]
        matched, strays = match(self._replies, _questions(asked))
        missing = [id_ for id_ in dict.fromkeys(asked) if id_ not in matched]
        if missing and not self._skip:
            raise AnswersError(self._message(f"{len(missing)} questions have no recorded reply", missing))
        if strays and not self._skip:
            raise AnswersError(
                self._message(f"{len(strays)} recorded replies belong to no question", [s.where for s in strays])
            )
        self._counts = {
            "questions": len(set(asked)),
            "questions_without_reply": len(missing),
            "replies_without_question": len(strays),
        }
        log.info("answers: %s", self._counts)
        return [ReplayedReply(matched[id_]) if id_ in matched else MissingReply() for id_ in asked]

    def _document_id(self, request: Instance) -> str:
        id_ = request.doc.get("id") if isinstance(request.doc, Mapping) else None
        if not isinstance(id_, str) or benchmark_of(id_.split("/")[0]) is None:
            raise AnswersError(
                f"--model answers replays the tasks of lm-eval-zh; {request.task_name} is not one of them"
            )
        return id_

    def _message(self, problem: str, names: Sequence[str]) -> str:
        return (
            f"{self._path}: {problem}: {_listed(names)}. "
            "Add what is missing, or leave both sides out and have them counted with --model_args path=...,missing=skip"
        )

    def get_model_info(self) -> dict[str, Any]:
        """What the results file says of the replay."""
        return {"answers": {"path": str(self._path), "replies": len(self._replies), **self._counts}}

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        """The messages as text: nobody is asked, so no template matters."""
        return "\n".join(message["content"] for message in chat_history)

    def set_cache_hook(self, cache_hook: object) -> NoReturn:
        """Not to be had: the harness calls this for `--use_cache`, whose files know texts, not questions.

        Two questions with one text would get one reply, and a changed file of replies its former ones.
        """
        raise AnswersError("--model answers has its replies in a file already: run it without --use_cache")

    def loglikelihood(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> NoReturn:
        """Not to be had: a recorded reply says nothing of the likelihood of others."""
        raise NotImplementedError("--model answers has replies only: run multiple-choice tasks with the model itself")

    loglikelihood_rolling = loglikelihood


def match(
    replies: Iterable[RecordedReply], questions: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], list[RecordedReply]]:
    """The reply to each document by its id, and the replies that belong to no document.

    A reply belongs to the document with its id, or else with its question's text, white space aside. Where several
    documents have that text, the question file and index decide. Where none has, it is the document with the same index
    and nearly the same text, for upstream corrected questions after its results were recorded. A reply found twice is
    fine if both texts are equal.

    Raises AnswersError for two different replies to one question, for a reply that several questions could claim, and for
    one whose id and question's text contradict each other.
    """
    lookup = _Lookup(questions)
    found: dict[str, RecordedReply] = {}
    strays = []
    for reply in replies:
        id_ = lookup.id_for(reply)
        if id_ is None:
            strays.append(reply)
        elif id_ not in found:
            found[id_] = reply
        elif found[id_].reply != reply.reply:
            raise AnswersError(
                f"{id_} has two different replies: {found[id_].where} and {reply.where}; keep one of them"
            )
    return {id_: reply.reply for id_, reply in found.items()}, strays


class _Lookup:
    """Questions by id, by text and by index."""

    def __init__(self, questions: Iterable[Mapping[str, Any]]) -> None:
        self._by_id: dict[str, Mapping[str, Any]] = {}
        self._by_text: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self._by_index: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
        for question in questions:
            self._by_id[question["id"]] = question
            self._by_text[_without_space(question["question"])].append(question)
            self._by_index[question["index"]].append(question)

    def id_for(self, reply: RecordedReply) -> str | None:
        if reply.id is not None:
            return self._checked(reply.id, reply)
        text = _without_space(reply.question or "")
        candidates = self._by_text.get(text) or self._nearly(text, reply)
        if len(candidates) > 1:
            candidates = [question for question in _in_file(candidates, reply) if question["index"] == reply.index]
            if len(candidates) != 1:
                raise AnswersError(
                    f"{reply.where}: several questions have this text, and index {reply.index} does not say which is "
                    "meant; give the reply the question's id"
                )
        return candidates[0]["id"] if candidates else None

    def _checked(self, id_: str, reply: RecordedReply) -> str | None:
        question = self._by_id.get(id_)
        if question is None:
            return None
        if reply.question is not None and not _alike(
            _without_space(reply.question), _without_space(question["question"])
        ):
            raise AnswersError(
                f"{reply.where}: id {id_!r} is not that of the question beside it, {reply.question!r:.60}, but of "
                f"{question['question']!r:.60}; correct one of the two, or leave the question out"
            )
        return id_

    def _nearly(self, text: str, reply: RecordedReply) -> list[Mapping[str, Any]]:
        if reply.index is None:
            return []
        same_index = _in_file(self._by_index.get(reply.index, []), reply)
        return [question for question in same_index if _alike(text, _without_space(question["question"]))]


def _in_file(questions: list[Mapping[str, Any]], reply: RecordedReply) -> list[Mapping[str, Any]]:
    """The questions of the file the reply is from; all where that is not known."""
    named = [question for question in questions if f"/{reply.keyword}/" in question["id"]]
    return named or questions


def _alike(text: str, other: str) -> bool:
    """Whether the texts differ in so little that one must be a correction of the other."""
    if text == other:
        return True
    matcher = SequenceMatcher(None, text, other, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _questions(ids: Iterable[str]) -> list[dict[str, Any]]:
    """All documents of the collections the ids are from: a reply to a question outside this run is no stray."""
    collections = dict.fromkeys(id_.split("/")[0] for id_ in ids)
    return [
        document
        for collection in collections
        if (benchmark := benchmark_of(collection))
        for document in benchmark.documents(collection)
    ]


def _without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
