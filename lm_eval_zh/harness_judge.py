"""A model of the harness as a judge: `hf`, `vllm` or any other that generates, in this process."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.instance import Instance
from zh_metrics.judge import (
    JudgeReply,
    JudgeRequest,
    JudgeSettingsError,
    JudgeUsage,
    Judgment,
    ReplyCache,
    Status,
)
from zh_metrics.judge.cache import request_key
from zh_metrics.judge.records import UNREAD
from zh_metrics.judge.texts import without_surrogates

from lm_eval_zh.harness_model import HarnessJudgeSettings, HarnessModel, Messages

log = logging.getLogger(__name__)

_AT_ONCE = 256  # requests per call of the model: what a model that hands on its replies at the end can lose
_REASON_LENGTH = 200

Failure = tuple[Status, str]
"""Why there is no reply."""


class HarnessJudge:
    """Asks a model of the harness, all requests in one go.

    Identical requests are asked once. Each reply is in the `cache` as soon as the model hands it on, most models after each
    batch, so that a run that was killed repeats little. An unread reply is asked for again only where replies are sampled.
    """

    def __init__(self, settings: HarnessJudgeSettings, model: HarnessModel, cache: ReplyCache | None = None) -> None:
        self.settings = settings
        self.usage = JudgeUsage()
        self._model = model
        self._cache = cache
        self._repeat = 0

    def repeated(self, repeat: int) -> HarnessJudge:
        """The same judge, asked once more: it counts with this one, and its replies are other ones.

        Raises JudgeSettingsError where decoding is greedy, for then they would be the same.
        """
        if not self.settings.temperature:
            raise JudgeSettingsError(
                "judge setting 'repeats': without a 'temperature' the judge says the same each time"
            )
        again = HarnessJudge(self.settings, self._model, self._cache)
        again.usage, again._repeat = self.usage, repeat
        return again

    def judge(self, requests: Sequence[JudgeRequest]) -> list[Judgment]:
        """One judgment per request, in the same order. Raises JudgeSettingsError if the model can't be loaded or asked."""
        by_messages = {request.messages: request for request in requests}
        replies: dict[Messages, tuple[JudgeReply, ...]] = dict.fromkeys(by_messages, ())
        failed: dict[Messages, Judgment] = {}
        for sample in range(self.settings.most_samples):
            todo = [
                messages
                for messages, request in by_messages.items()
                if messages not in failed and not (replies[messages] and request.accept(replies[messages][-1].text))
            ]
            for messages, reply in self._ask(todo, sample).items():
                if isinstance(reply, JudgeReply):
                    replies[messages] = (*replies[messages], reply)
                else:
                    status, reason = reply
                    failed[messages] = Judgment(status, reason, replies[messages])
        judgments = [
            failed.get(request.messages) or _judgment(request, replies[request.messages]) for request in requests
        ]
        self.usage.statuses.update(judgment.status.value for judgment in judgments)
        self.usage.reasons.update(judgment.reason for judgment in judgments if judgment.reason)
        return judgments

    def describe(self) -> dict[str, Any]:
        """The model's name as `model`, and the settings."""
        return {"model": self.settings.name, **self.settings.model_dump()}

    def score_settings(self) -> dict[str, Any]:
        """What can move a mark: arguments of the model such as its precision too, but not its batches."""
        return {**self.settings.score_settings(), **({"repeat": self._repeat} if self._repeat else {})}

    def _ask(self, todo: Iterable[Messages], sample: int) -> dict[Messages, JudgeReply | Failure]:
        """A reply to each of the messages, from the cache or the model, or why there is none."""
        found: dict[Messages, JudgeReply | Failure] = {}
        new: dict[Messages, Any] = {}
        for messages in todo:
            kept = self._cache.get(self.settings.name, self._key(messages, sample)) if self._cache else None
            if kept:
                self.usage.cached_replies += 1
                self.usage.models[kept.model] += 1
                found[messages] = kept
            else:
                new[messages] = self._model.prompt(_clean(messages))
        tokens = {messages: self._model.tokens(prompt) for messages, prompt in new.items()}
        room = self._model.room if new else None
        for messages, count in tokens.items():
            if room is not None and count > room:
                del new[messages]
                found[messages] = (
                    Status.TOO_LONG,
                    f"the prompt is too long for a reply of {self.settings.max_tokens} tokens in the judge's context",
                )
        # Prompts of one length together: a batch is padded to its longest.
        ordered = sorted(new, key=lambda messages: tokens[messages], reverse=True)
        for start in range(0, len(ordered), _AT_ONCE):
            chunk = {messages: new[messages] for messages in ordered[start : start + _AT_ONCE]}
            found.update(self._generate(chunk, tokens, sample))
        return found

    def _generate(
        self, prompts: Mapping[Messages, Any], tokens: Mapping[Messages, int], sample: int
    ) -> dict[Messages, JudgeReply | Failure]:
        """The model's replies. Those it gave before it failed are kept; the others have its error for a reason."""
        given: dict[Messages, JudgeReply | Failure] = {}
        distinct = {str(prompt): prompt for prompt in prompts.values()}
        sharing = defaultdict(list)  # without a template, different messages may be one prompt
        for messages, prompt in prompts.items():
            sharing[str(prompt)].append(messages)

        def keep(prompt: Any, text: str) -> None:
            for messages in sharing.get(str(prompt), ()):
                if messages not in given:
                    given[messages] = self._kept(messages, sample, text, tokens[messages])

        lm = self._model.lm
        lm.set_cache_hook(_Hook(keep))
        settings = self.settings.generation_kwargs()
        instances = [
            Instance("generate_until", {}, (prompt, dict(settings)), 0, ("judge", number, 1))
            for number, prompt in enumerate(distinct.values())
        ]
        self.usage.calls += len(instances)
        try:
            texts = lm.generate_until(instances)
        except Exception as error:  # noqa: BLE001 - a judge fails for no request, whatever its model does
            log.error("judge %s: %s: %s", self.settings.name, type(error).__name__, error)
            reason = f"{type(error).__name__}: {error}"[:_REASON_LENGTH]
            return {messages: given.get(messages, (Status.EXHAUSTED, reason)) for messages in prompts}
        for prompt, text in zip(distinct.values(), texts, strict=True):
            keep(prompt, text)
        return given

    def _kept(self, messages: Messages, sample: int, text: str | None, prompt_tokens: int) -> JudgeReply:
        reply = JudgeReply(
            without_surrogates(text or ""),
            model=self.settings.name,
            prompt_tokens=prompt_tokens,
            completion_tokens=self._model.tokens(text or ""),
        )
        self.usage.models[reply.model] += 1
        self.usage.prompt_tokens += reply.prompt_tokens
        self.usage.completion_tokens += reply.completion_tokens
        if self._cache:
            try:
                self._cache.put(self.settings.name, self._key(messages, sample), reply)
            except OSError as error:
                log.warning("judge cache: %s: the reply can't be kept, and will be asked for again", error)
        return reply

    def _key(self, messages: Messages, sample: int) -> str:
        fields = {**self.score_settings(), "files": self._model.files, "messages": _clean(messages), "sample": sample}
        del fields["samples"]  # how many there may be changes none of them
        return request_key(fields)


class _Hook:
    """What the harness's models hand each finished reply to, in the place of its own cache."""

    def __init__(self, keep: Callable[[Any, str], None]) -> None:
        self._keep = keep

    def add_partial(self, method: str, request: Sequence[Any], reply: str) -> None:
        self._keep(request[0], reply)


def _judgment(request: JudgeRequest, replies: tuple[JudgeReply, ...]) -> Judgment:
    if request.accept(replies[-1].text):
        return Judgment(Status.OK, replies=replies)
    if not any(reply.text.strip() for reply in replies):
        return Judgment(Status.EXHAUSTED, "empty reply", replies)
    return Judgment(Status.UNPARSED, UNREAD, replies)


def _clean(messages: Messages) -> Messages:
    return tuple((role, without_surrogates(content)) for role, content in messages)
