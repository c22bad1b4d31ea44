"""Which recorded reply belongs to which question: by id, by text, or by place where a question was corrected since."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from lm_eval_zh.recorded import RecordedReply
from lm_eval_zh.registry import BENCHMARKS, benchmark_of
from lm_eval_zh.sources import SourceError

log = logging.getLogger(__name__)

_END = 6  # characters by which texts are looked up that a prompt may end with; no benchmark has a shorter question
_ALIKE = 0.95  # the four questions corrected so far keep 0.97 and more of their text


class AnswersError(ValueError):
    """The recorded replies and the questions of the task do not fit together."""


def match(
    replies: Iterable[RecordedReply], questions: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], list[RecordedReply]]:
    """The reply to each document by its id, and the replies that belong to no document.

    A reply belongs to the document with its id, or else with its question's text, white space aside; one that has a whole
    prompt, to the document with the longest text at the prompt's end, or else within it. Where several documents have that
    text, the question file and index decide. Where none has, it is the document with the same index and nearly the same
    text, or with the same file, index and model answer, for upstream corrected questions after its results were recorded.
    A reply found twice is fine if both texts are equal.

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
        self._by_end: dict[str, list[str]] = defaultdict(list)
        self._by_index: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
        for question in questions:
            self._by_id[question["id"]] = question
            text = _without_space(question["question"])
            self._by_text[text].append(question)
            self._by_end[text[-_END:]].append(text)
            self._by_index[question["index"]].append(question)

    def id_for(self, reply: RecordedReply) -> str | None:
        if reply.id is not None:
            return self._checked(reply.id, reply)
        text = self._text_of(reply)
        candidates = self._by_text.get(text) or self._nearly(text, reply)
        if len(candidates) > 1:
            candidates = [question for question in _in_file(candidates, reply) if question["index"] == reply.index]
            if len(candidates) != 1:
                raise AnswersError(
                    f"{reply.where}: several questions have this text, and index {reply.index} does not say which is "
                    "meant; give the reply the question's id"
                )
        return candidates[0]["id"] if candidates else None

    def _text_of(self, reply: RecordedReply) -> str:
        """The question's text without white space; of a reply that has a prompt only, what of it is most likely that."""
        if reply.question is not None or reply.prompt is None:
            return _without_space(reply.question or "")
        prompt = _without_space(reply.prompt)
        at_end = [text for text in self._by_end.get(prompt[-_END:], ()) if prompt.endswith(text)]
        # Few prompts go on after the question. A shorter text could stand anywhere by chance.
        held = at_end or [text for text in self._by_text if len(text) >= _END and text in prompt]
        if held:
            return max(held, key=len)
        near = _in_file(self._by_index.get(-1 if reply.index is None else reply.index, []), reply)
        return prompt[-len(_without_space(near[0]["question"])) :] if len(near) == 1 else prompt

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
        return [question for question in same_index if _corrected(question, text, reply)]


def _in_file(questions: list[Mapping[str, Any]], reply: RecordedReply) -> list[Mapping[str, Any]]:
    """The questions of the file the reply is from; all where that is not known."""
    named = [question for question in questions if f"/{reply.keyword}/" in question["id"]]
    return named or questions


def _corrected(question: Mapping[str, Any], text: str, reply: RecordedReply) -> bool:
    """Whether the reply's question, of the same index, is an earlier state of `question`: its text or model answer says so.

    Nine subjective questions were changed too much to be alike: tables became TeX, options were added, headings cut.
    """
    if _alike(text, _without_space(question["question"])):
        return True
    same_file = reply.keyword is not None and f"/{reply.keyword}/" in question["id"]
    return same_file and reply.model_answer is not None and question["answer"] == [reply.model_answer]


def _alike(text: str, other: str) -> bool:
    """Whether the texts differ in so little that one must be a correction of the other."""
    if text == other:
        return True
    matcher = SequenceMatcher(None, text, other, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def questions_of(ids: Iterable[str]) -> list[dict[str, Any]]:
    """All documents of the collections the ids are from: a reply to a question outside this run is no stray."""
    collections = dict.fromkeys(id_.split("/")[0] for id_ in ids)
    return [
        document
        for collection in collections
        if (benchmark := benchmark_of(collection))
        for document in benchmark.documents(collection)
    ]


def collections_of(replies: Sequence[RecordedReply]) -> list[str]:
    """The collections that the replies belong to: by their ids, by their question files, or else by their questions.

    Raises AnswersError as `match` does. A collection whose files can't be had holds nothing.
    """
    found = {reply.id.split("/")[0]: None for reply in replies if reply.id is not None}
    left = [reply for reply in replies if reply.id is None]
    # By text only if need be: it takes much longer to find that a text is nowhere.
    for find in (_by_file, match):
        for collection in (name for benchmark in BENCHMARKS for name in benchmark.collections):
            if not left:
                break
            try:
                documents = questions_of([collection])
            except SourceError as error:
                log.warning("%s: %s", collection, error)
                continue
            matched, left = find(left, documents)
            found.update({id_.split("/")[0]: None for id_ in matched})
    return [name for name in found if benchmark_of(name)]


def _by_file(
    replies: Iterable[RecordedReply], documents: Iterable[Mapping[str, Any]]
) -> tuple[dict[str, str], list[RecordedReply]]:
    """The first document of each reply's question file, and the replies of which none of the documents' files is known."""
    files = {document["id"].split("/")[1]: document["id"] for document in documents}
    known = {files[reply.keyword]: reply.reply for reply in replies if reply.keyword in files}
    return known, [reply for reply in replies if reply.keyword not in files]


def _without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)
