"""Predictions in the shape OpenCompass writes them find their questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opencompass_files import SAMPLE, as_messages, as_text, write

from alignbench_tasks import docs as alignbench
from gaokao_tasks.docs import documents
from lm_eval_zh.matching import AnswersError, collections_of, match, questions_of
from lm_eval_zh.recorded import read_recorded
from lm_eval_zh.sources import SourceError


def with_template(question: str) -> Any:
    """What a base model is given where its configuration has a template."""
    return f"<|im_start|>user\n{as_text(question)}<|im_end|>\n<|im_start|>assistant\n"


def with_examples(question: str) -> Any:
    """A question after an example that is a question too."""
    example = documents(SAMPLE)[0]["question"]
    return [
        {"role": "HUMAN", "prompt": example},
        {"role": "BOT", "prompt": "【答案】A"},
        {"role": "HUMAN", "prompt": as_text(question)},
    ]


def own_reply(doc: dict[str, Any]) -> str:
    return f"我的答复：{doc['id']}"


@pytest.mark.parametrize("prompt", [as_text, as_messages, with_template, with_examples])
def test_each_prediction_finds_its_question(tmp_path: Path, prompt: Callable[[str], Any]) -> None:
    replies = read_recorded(write(tmp_path / "model", prompt, own_reply))
    matched, strays = match(replies, documents(SAMPLE))
    assert matched == {doc["id"]: own_reply(doc) for doc in documents(SAMPLE)}
    assert strays == []
    assert collections_of(replies) == [SAMPLE]


def test_a_question_corrected_since_is_found_by_its_place(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", lambda text: as_messages(text.replace("，", "", 1)), own_reply)
    matched, strays = match(read_recorded(folder), documents(SAMPLE))
    assert len(matched) + len(strays) == len(documents(SAMPLE))
    assert len(matched) > 0.8 * len(documents(SAMPLE))  # of short texts a character is more than a twentieth
    assert all(reply == f"我的答复：{id_}" for id_, reply in matched.items())


def test_predictions_for_other_datasets_are_passed_over(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", as_messages, own_reply)
    other = {"0": {"origin_prompt": "以下是中国关于法律考试的单项选择题。", "prediction": "A", "gold": "B"}}
    (folder / "ceval-law.json").write_text(json.dumps(other), encoding="utf-8")
    assert len(read_recorded(folder)) == len(documents(SAMPLE))
    (reply,) = read_recorded(folder / "ceval-law.json")  # a file that is named is read, whatever its name
    with pytest.raises(AnswersError, match=r"ceval-law\.json: record '0'"):
        raise AnswersError(match([reply], documents(SAMPLE))[1][0].where)


def test_a_prediction_for_no_question_is_a_stray(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", as_messages, own_reply)
    path = next(folder.iterdir())
    content = json.loads(path.read_text(encoding="utf-8"))
    content["99"] = {"origin_prompt": as_messages("谁也没有问过的一道题？"), "prediction": "A"}
    path.write_text(json.dumps(content), encoding="utf-8")
    (stray,) = match(read_recorded(folder), documents(SAMPLE))[1]
    assert stray.where == f"{path}: record '99'"


@pytest.mark.parametrize("broken", [{"origin_prompt": "几？"}, "几？", None])
def test_a_record_that_is_no_prediction_is_named(tmp_path: Path, broken: object) -> None:
    folder = write(tmp_path / "model", as_messages, own_reply)
    path = next(folder.iterdir())
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "99": broken}), encoding="utf-8")
    with pytest.raises(SourceError, match=r"GaokaoBench_.*\.json: record '99': expected the fields"):
        read_recorded(folder)


def test_the_lines_of_a_run_under_way_and_several_replies(tmp_path: Path) -> None:
    doc = documents(SAMPLE)[3]
    record = {"idx": 0, "origin_prompt": as_messages(doc["question"]), "prediction": ["一", "二"]}
    path = tmp_path / "tmp_GaokaoBench_x.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert match(read_recorded(path), documents(SAMPLE))[0] == {doc["id"]: "一"}


def test_alignbench(tmp_path: Path) -> None:
    docs = alignbench.documents("alignbench_sample")
    content = {
        str(number): {"origin_prompt": [{"role": "HUMAN", "prompt": doc["question"]}], "prediction": own_reply(doc)}
        for number, doc in enumerate(docs)
    }
    path = tmp_path / "alignment_bench_v1_1.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert match(read_recorded(path), docs) == ({doc["id"]: own_reply(doc) for doc in docs}, [])
    assert len(read_recorded(tmp_path)) == len(docs)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            {"origin_prompt": 3, "prediction": "A"},
            "record '0': field 'origin_prompt': expected text or messages, got 3",
        ),
        ({"origin_prompt": [], "prediction": "A"}, "record '0': field 'origin_prompt'"),
        ({"origin_prompt": [{"role": "HUMAN"}], "prediction": "A"}, "record '0': field 'origin_prompt'"),
        ({"origin_prompt": "几？", "prediction": None}, "record '0': field 'prediction': expected text, got None"),
        ({"origin_prompt": "几？", "prediction": [[]]}, r"record '0': field 'prediction': expected text, got \[\]"),
    ],
    ids=["number", "no_message", "no_text", "null", "list_in_a_list"],
)
def test_bad_predictions_are_named(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    path = tmp_path / "GaokaoBench_x.json"
    path.write_text(json.dumps({"0": record}), encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_recorded(path)


@pytest.mark.parametrize("collection", ["gaokao_obj", "gaokao_subj", "alignbench"])
def test_the_real_questions_in_the_order_of_their_files(tmp_path: Path, mirror: Path, collection: str) -> None:
    """Some questions share a text: file and place tell them apart."""
    docs = questions_of([collection])
    files: dict[str, dict[str, Any]] = {}
    for doc in sorted(docs, key=lambda doc: doc["index"]):
        name = f"GaokaoBench_{doc['id'].split('/')[1]}" if "gaokao" in collection else "alignment_bench_v1_1"
        of_file = files.setdefault(name, {})
        of_file[str(len(of_file))] = {
            "origin_prompt": as_messages(doc["question"].strip()),
            "prediction": own_reply(doc),
        }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    replies = read_recorded(tmp_path)
    matched, strays = match(replies, docs)
    assert strays == []
    assert matched == {doc["id"]: own_reply(doc) for doc in docs}
    assert collections_of(replies) == [collection]
