"""`--model answers`: a harness model that replays recorded replies, so that they go through the very same tasks."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM

from lm_eval_zh.matching import AnswersError, match, questions_of
from lm_eval_zh.recorded import read_recorded
from lm_eval_zh.registry import benchmark_of
from lm_eval_zh.replies import MissingReply, ReplayedReply
from lm_eval_zh.sources import user_path

log = logging.getLogger(__name__)

_NAMED = 10  # how many questions or replies a message names before it only counts them


class RecordedAnswers(LM):  # type: ignore[misc]
    """Gives the recorded reply to each question.

    `path`: a file or folder as `read_recorded` takes it. `model`: whose replies they are. `missing`: "error" refuses questions without a reply and replies
    without a question; "skip" leaves both out and counts them, the former in the task's `reply_missing`, both in the
    results file under `config`.
    """

    tokenizer_name = ""

    def __init__(self, path: str | Path | None = None, missing: str = "error", model: str = "", **_: Any) -> None:
        super().__init__()
        if not path:
            raise AnswersError("--model answers needs --model_args path=FILE_OR_FOLDER with the recorded replies")
        if missing not in ("error", "skip"):
            raise AnswersError(f"missing={missing}: expected error or skip")
        self._path = user_path(str(path), "path")
        self.model = str(model)
        self._skip = missing == "skip"
        self._replies = read_recorded(self._path)
        self._counts: dict[str, int] = {}

    def generate_until(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[str]:
        """The reply to each request's document; a MissingReply where there is none and `missing=skip`.

        Raises AnswersError naming the questions and records concerned if replies are missing, contradict each other or
        belong to no question.
        """
        asked = [self._document_id(request) for request in requests]
        matched, strays = match(self._replies, questions_of(asked))
        missing = [id_ for id_ in dict.fromkeys(asked) if id_ not in matched]
        if not matched and self._replies:
            raise AnswersError(
                f"{self._path}: none of its {len(self._replies)} replies belongs to a question of these tasks: "
                f"{_listed([reply.where for reply in self._replies])}"
            )
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
            "Add what is missing, or leave both sides out and have them counted: with --model_args path=...,missing=skip, or --missing skip of lm-eval-zh rescore"
        )

    def get_model_info(self) -> dict[str, Any]:
        """What the results file says of the replay."""
        named = {"model": self.model} if self.model else {}
        return {"answers": {**named, "path": str(self._path), "replies": len(self._replies), **self._counts}}

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


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
