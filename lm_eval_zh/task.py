"""The task class our YAMLs name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask
from zh_metrics.judge import JudgeRequest
from zh_metrics.signature import signature

from lm_eval_zh.candidates import candidate_name
from lm_eval_zh.judging import Assessment, Judging, judges_in_this_process
from lm_eval_zh.measuring import Measuring
from lm_eval_zh.panels import check_panel, panel_of
from lm_eval_zh.replies import Provenance, ReplayedReply
from lm_eval_zh.run_metadata import check_metadata
from lm_eval_zh.run_signature import generation_fields, package_version, subset_field, text_digest

NOTHING = (0.0, 0.0)


class ChineseTask(ConfigurableTask):  # type: ignore[misc]
    """A harness task with what our benchmarks need beyond a YAML.

    Six keys of the YAML are ours:

    `metric_by_part`: a metric, say `scoring_rate`, that is also reported as `scoring_rate_<part>` for each part named in
    the documents' column `parts`; `{gscore: gscore_questions}` where the parts of `gscore` are aggregated as another
    metric is. A document outside a part counts as (0, 0) there.

    `signature`: a function of `dataset_kwargs` that says what of the data a number depends on. With the settings of the
    run it makes the signatures, one per pipeline, that the results file holds under the task's `metadata`.

    `assessment`: how the replies of a judged task are judged; see `judging.Assessment`. Such a task needs a judge, from
    `--metadata '{"judge": ...}'` or the environment, unless it only predicts.

    `measuring`: what else looks at all replies at once, made of the same; see `measuring.Measuring`.

    `repeat_empty`: how often a model is asked again where its reply is empty, 0 without the key.

    `class`: this class.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = dict(config)
        settings.pop("class", None)
        by_part: str | Mapping[str, str] = settings.pop("metric_by_part", {})
        self._data_fields: Callable[..., dict[str, str]] = settings.pop("signature", dict)
        self._assessment: Callable[..., Assessment] | None = settings.pop("assessment", None)
        self._measurer: Callable[..., Measuring] | None = settings.pop("measuring", None)
        self._repeat_empty: int = settings.pop("repeat_empty", 0)
        super().__init__(config=settings)
        self._chat_template = False
        self._system_instruction: str | None = None
        self._subset = "none"
        self._measuring: Measuring | None = None
        self._measures = True
        self._replayed = False
        self._world_size = 1
        self.answered_by: LM | None = None  # the model of the run, where the harness has been taught to show it
        self.provenance = Provenance()  # of replies that are scored again
        for name, metric in ({by_part: by_part} if isinstance(by_part, str) else by_part).items():
            self._report_parts(name, metric)

    def download(self, *_: Any, **__: Any) -> None:
        """The task's documents, without the harness's advice on `--metadata`, which does not apply to ours."""
        # The YAML's arguments alone: the harness would add those of the model and of --metadata, and a user's
        # --metadata '{"subject": ...}' would change the questions behind the task's name.
        self.dataset = self.config.custom_dataset(**(self.config.dataset_kwargs or {}))

    @property
    def is_judged(self) -> bool:
        """Whether judges mark its replies, or some of them."""
        return self._assessment is not None

    def _report_parts(self, name_of_parts: str, metric: str) -> None:
        settings = next(entry for entry in self.config.metric_list if entry["metric"] == metric)
        parts = sorted({part for doc in self.eval_docs["parts"] for part in doc})
        part_metrics = [f"{name_of_parts}_{part}" for part in parts]
        for name in part_metrics:
            self._metric_fn_list[name] = self._metric_fn_list[metric]
            self._metric_fn_kwargs[name] = self._metric_fn_kwargs[metric]
            self._aggregation_list[name] = self._aggregation_list[metric]
            self._higher_is_better[name] = self._higher_is_better[metric]
        self.config.metric_list = [
            *self.config.metric_list,
            *({**settings, "metric": name} for name in part_metrics),
        ]

    def process_results(self, doc: Mapping[str, Any], results: list[Any]) -> dict[str, Any]:
        """The document's value for each metric of the task, (0, 0) for a part it doesn't belong to.

        The harness warns at length when metrics have values for different numbers of documents.
        """
        measured: dict[str, Any] = super().process_results(doc, results)
        return {name: measured.get(name, NOTHING) for name in self._metric_fn_list}

    def build_all_requests(self, **settings: Any) -> None:
        """As the harness does, keeping what of the run's settings belongs into the signature.

        Raises ValueError for a setting that can't stand in it, and what making the judge or the metric raises, such as
        JudgeSettingsError for a judge that can't be had: now, not when hours of generation are done. So too for a misspelt setting.
        """
        self._chat_template = bool(settings.get("apply_chat_template"))
        self._system_instruction = settings.get("system_instruction")
        self._subset = subset_field(settings.get("limit"), settings.get("samples"), len(self.eval_docs))
        self._world_size = settings.get("world_size") or 1
        # The harness's cache of requests is not keyed by their generation settings, so a signature could be untrue.
        super().build_all_requests(**{**settings, "cache_requests": False})
        metadata = self.config.metadata or {}
        check_metadata(metadata)
        self._measuring = None if self._only_predicts() else self._made_measuring(metadata)
        if self._measuring:
            self._measures = judges_in_this_process(self._world_size)
            self._leave_out(name for name in self._metric_fn_list if not self._measuring.reports(name))
        if not isinstance(self._measuring, Judging):
            check_panel(metadata.get("judge"))
        self._signatures()

    def _made_measuring(self, metadata: Mapping[str, Any]) -> Measuring | None:
        if self._assessment:
            panel = panel_of(metadata.get("judge"), self.provenance.judges)
            return Judging(panel, partial(self._assess, metadata))
        return self._measurer(metadata, **(self.config.dataset_kwargs or {})) if self._measurer else None

    def _leave_out(self, metrics: Iterable[str]) -> None:
        for name in list(metrics):
            del self._metric_fn_list[name]

    def construct_requests(self, doc: Mapping[str, Any], ctx: Any, **kwargs: Any) -> list[Instance] | Instance:
        """As the harness does, at the document's own `temperature` where the settings give none.

        A temperature of 0 turns sampling off, or transformers refuses the pair.
        """
        settings = self.config.generation_kwargs
        if "temperature" in settings and generation_fields(settings)["temperature"] == "0":
            settings["do_sample"] = False
        request = super().construct_requests(doc, ctx, **kwargs)
        if "temperature" not in settings and "temperature" in doc:
            request.arguments[1]["temperature"] = doc["temperature"]
        return request

    def apply_filters(self) -> None:
        """As the harness does, on replies that have been judged or measured where the task has that done."""
        for instance in self.instances:
            instance.resps = ["" if reply is None else reply for reply in instance.resps]  # None as below
        # Told now: a judged reply no longer shows it.
        self._replayed = any(
            isinstance(reply, ReplayedReply) for instance in self.instances for reply in instance.resps
        )
        self._ask_again_where_empty()
        if self._measuring and self._measures:
            self._measuring.measure(self.instances, candidate_name(self.answered_by))
        super().apply_filters()

    def _ask_again_where_empty(self) -> None:
        """Replies that are empty are generated anew, as some benchmarks do; what stays empty stays.

        Data-parallel processes would have to agree on who asks how often, and do not ask again.
        """
        if self._replayed or self.answered_by is None or self._world_size > 1:
            return
        for _ in range(self._repeat_empty):
            empty = [instance for instance in self.instances if not instance.resps[0].strip()]
            if not empty:
                return
            for instance, reply in zip(empty, self.answered_by.generate_until(empty), strict=True):
                instance.resps[0] = reply or ""  # some harness models give None for a reply without text

    def judge_requests(self, reply: str, asking: Mapping[str, Any], limit: int | None = None) -> list[JudgeRequest]:
        """What a judge that is asked so would be asked if each of the documents, or of the first ones, had this reply."""
        if not self._assessment:
            return []
        assessment = self._assess(self.config.metadata or {}, asking)
        asked = (assessment.request(doc, reply) for doc in islice(self.eval_docs, limit))
        return [request for request in asked if request is not None]

    def _assess(self, metadata: Mapping[str, Any], asking: Mapping[str, Any]) -> Assessment:
        assert self._assessment
        return self._assessment(metadata, asking=asking, **(self.config.dataset_kwargs or {}))

    def _only_predicts(self) -> bool:
        return "bypass" in self._metric_fn_list  # what the harness makes of --predict_only

    def dump_config(self) -> dict[str, Any]:
        """The configuration for the results file, with the signature of each pipeline's numbers in `metadata`."""
        config: dict[str, Any] = super().dump_config()
        metadata = {**(config.get("metadata") or {}), "signature": self._signatures()}
        if self._measuring:
            metadata.update(self._measuring.report())
        return {**config, "metadata": metadata}

    def _signatures(self) -> dict[str, str]:
        pipelines = [pipeline["name"] for pipeline in self.config.filter_list]
        return {name: signature(self._signature_fields(name)) for name in pipelines}

    def _signature_fields(self, pipeline: str) -> dict[str, object]:
        return {
            "task": self.config.task,
            "version": self.VERSION,
            "pipeline": pipeline,
            **self._data_fields(**(self.config.dataset_kwargs or {})),
            "subset": self._subset,
            **self._reply_fields(),
            **self._measuring_fields(),
            "lm_eval": package_version("lm_eval"),
            "lm_eval_zh": package_version("lm-eval-zh"),
        }

    def _measuring_fields(self) -> Mapping[str, str]:
        if not self._measuring:
            return {}
        return (self.provenance.judges and self.provenance.judging_fields) or self._measuring.signature_fields()

    def _reply_fields(self) -> Mapping[str, object]:
        if self._replayed:
            return self.provenance.reply_fields or {"replies": "recorded"}
        settings = self.config.generation_kwargs
        by_document = "temperature" not in settings and "temperature" in self.eval_docs.features
        return {
            "replies": "generated",
            "shots": self.config.num_fewshot or 0,
            **generation_fields(settings),
            **({"temperature": "by_document"} if by_document else {}),
            "chat": "yes" if self._chat_template else "no",
            "system": text_digest([self._system_instruction] if self._system_instruction else ()),
        }
