"""Judges in a run of the harness: from its settings before generation to the judgments that the filters read."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from lm_eval.api.instance import Instance
from zh_metrics.judge import Judge, JudgeRequest, JudgeUsage, Judgment, Verdict
from zh_metrics.judge.cache import request_key
from zh_metrics.judge.together import judge_together

from lm_eval_zh.judges import OVERLAP
from lm_eval_zh.panels import Member, Panel
from lm_eval_zh.replies import MissingReply

log = logging.getLogger(__name__)


class Assessment(Protocol):
    """How a benchmark has replies judged. Made before generation, so that what it needs is missed then.

    A benchmark's assessment is made of the run's `--metadata`, of the judge's settings named in `panels.ASKING`, and of the
    task's `dataset_kwargs`. It raises JudgeSettingsError for settings it does not know.
    """

    def request(self, doc: Mapping[str, Any], reply: str) -> JudgeRequest | None:
        """What to ask a judge about the reply to `doc`; None where there is nothing to judge."""

    def signature_fields(self) -> dict[str, str]:
        """What of it a number depends on."""


class JudgedReply(str):
    """A reply with what its judges said of it. A text like any other to the harness."""

    verdict: Verdict = Verdict()

    @classmethod
    def of(cls, reply: str, verdict: Verdict) -> JudgedReply:
        """`reply`, judged."""
        judged = cls(reply)
        judged.verdict = verdict
        return judged


def verdict_of(reply: str) -> Verdict:
    """What was said of a reply; a verdict without judgments if nobody has judged it."""
    return reply.verdict if isinstance(reply, JudgedReply) else Verdict()


class Judging:
    """The judges of one task in one run, a `Measuring`. `assess` makes the benchmark's assessment for a judge's `panels.ASKING`."""

    def __init__(self, panel: Panel, assess: Callable[[Mapping[str, Any]], Assessment]) -> None:
        self._rule = panel.rule
        self._judges = [member.judge for member in panel.members]
        made: dict[str, Assessment] = {}
        for member in panel.members:
            if _asked_so(member) not in made:
                made[_asked_so(member)] = assess(member.asking)
        self._assessments = [made[_asked_so(member)] for member in panel.members]

    def measure(self, instances: Sequence[Instance], candidate: str = "") -> None:
        """Have the first reply of each instance judged, all in one go, and put the judged one in its place.

        `candidate` is the name of the model that replied.
        """
        replied = [instance for instance in instances if not isinstance(instance.resps[0], MissingReply)]
        requests = [_requests(assessment, replied) for assessment in self._assessments]
        asked = [[request for request in of_judge if request is not None] for of_judge in requests]
        said = judge_together(list(zip(self._judges, asked, strict=True)))
        names = [str(judge.score_settings()["model"]) for judge in self._judges]
        by_judge = [_in_place(*of_judge) for of_judge in zip(names, requests, said, strict=True)]
        for instance, judgments in zip(replied, zip(*by_judge, strict=True), strict=True):
            if given := tuple(judgment for judgment in judgments if judgment is not None):
                verdict = Verdict(given, self._rule, candidate)
                instance.resps[0] = JudgedReply.of(instance.resps[0], verdict)
        for usage, (judge, *_) in self._by_usage():
            if judge.describe()["model"] == OVERLAP and usage.statuses:
                log.warning("marked by overlap, which compares with the model answer: no score of the benchmark")
            if usage.reasons:
                nothing = "ok" not in usage.statuses
                log.log(logging.ERROR if nothing else logging.WARNING, "judge %s", _failures(judge, usage))

    def reports(self, metric: str) -> bool:
        """All metrics."""
        return True

    def report(self) -> dict[str, Any]:
        """For the results file: each judge's settings, and what it did and cost."""
        return {
            "judge_report": [
                {**repeats[0].describe(), **({"repeats": len(repeats)} if len(repeats) > 1 else {}), **usage.describe()}
                for usage, repeats in self._by_usage()
            ]
        }

    def signature_fields(self) -> dict[str, str]:
        """The judges' names, a digest of the settings that can move a mark, and what the assessments depend on."""
        told = [judge.score_settings() for judge in self._judges]
        asked = [assessment.signature_fields() for assessment in self._assessments]
        panel = {"panel": f"{self._rule.aggregate}/{self._rule.quorum}"} if len(told) > 1 else {}
        return {
            "judge": "+".join(str(settings["model"]) for settings in told).replace("|", "/"),
            "judge_settings": request_key({"judges": told})[:8],
            **panel,
            **{name: _of_all([fields[name] for fields in asked]) for name in asked[0]},
        }

    def _by_usage(self) -> list[tuple[JudgeUsage, list[Judge]]]:
        """The judges that count together: the repeats of one."""
        by_usage: dict[int, list[Judge]] = {}
        for judge in self._judges:
            by_usage.setdefault(id(judge.usage), []).append(judge)
        return [(judges[0].usage, judges) for judges in by_usage.values()]


def _failures(judge: Judge, usage: JudgeUsage) -> str:
    """Which requests failed and why, and what to do: the run goes on, for its replies took longer than the judging."""
    told = judge.describe()
    at = f" at {told['base_url']}" if told.get("base_url") else ""
    what_to_do = (
        "; run again to ask for them only, or have the samples marked by lm-eval-zh rescore --judge" if at else ""
    )
    failed, asked = usage.reasons.total(), usage.statuses.total()
    why = ", ".join(f"{reason} ({count})" for reason, count in usage.reasons.most_common(5))
    tries = ", ".join(f"{reason} ({count})" for reason, count in usage.faults.most_common(5))
    calls = f"; of its calls failed: {tries}" if usage.faults.keys() - usage.reasons.keys() else ""
    return (
        f"{told['model']}{at}: {failed} of {asked} replies are without its judgment: {why}{calls}. The metric judge_failed "
        f"counts those that a pipeline can't read either{what_to_do}"
    )


def _of_all(values: Sequence[str]) -> str:
    """What all judges have in common, or one value for each."""
    return values[0] if len(set(values)) == 1 else "+".join(values)


def _asked_so(member: Member) -> str:
    return json.dumps(member.asking, sort_keys=True, default=repr)


def _requests(assessment: Assessment, instances: Sequence[Instance]) -> list[JudgeRequest | None]:
    """What to ask about the first reply of each instance; None where there is nothing to judge."""
    return [assessment.request(instance.doc, instance.resps[0]) for instance in instances]


def _in_place(
    judge: str, requests: Sequence[JudgeRequest | None], judgments: Sequence[Judgment]
) -> list[Judgment | None]:
    """The judgments beside their requests, None beside none, each with its judge and the way it is to be read."""
    left = iter(judgments)
    return [
        None if request is None else replace(next(left), reading=request.reading, judge=judge) for request in requests
    ]


def judges_in_this_process(world_size: int) -> bool:
    """Whether this process is to ask judges.

    Under torchrun without data parallelism every process runs all documents and all filters: then the first one asks.
    """
    return world_size > 1 or os.environ.get("LOCAL_RANK", "0") == "0"
