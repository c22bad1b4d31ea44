"""The similarity part of Gscore with a real encoder, its windows and its cache."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import evaluate
import huggingface_hub
import numpy as np
import pytest
import torch
from small_encoder import encoder_folder
from zh_metrics.gscore import METRIC_PATH, EncoderError, Gscore, GscoreSettings, VectorCache, gscore
from zh_metrics.gscore.encoder import Encoder
from zh_metrics.gscore.similarity import cosine, similarities

PAIRS = [
    ("惯性是物体保持原来运动状态的性质。", "物体保持静止状态或匀速直线运动状态的性质叫做惯性。"),
    ("The cat sits on the mat.", "A cat is sitting on a mat."),
    ("答案是2→3，𠀀。", "答案是2→3，𠀁。"),
    ("", "有参考答案"),
    ("相同的文本", "相同的文本"),
]
LONG = "".join(f"第{number}句：人工智能 is a branch of computer science。" for number in range(40))


class Counting(Encoder):
    """An encoder that says what it was given."""

    def __init__(self, settings: GscoreSettings) -> None:
        self.encoded: list[str] = []
        super().__init__(settings)
        self.encoded.clear()  # the text that construction tries

    def encode(self, windows: Any) -> Any:
        self.encoded += windows
        return super().encode(windows)


@pytest.fixture(scope="module")
def settings() -> Iterator[GscoreSettings]:
    folder = encoder_folder()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # for a few short texts, threads wait for each other longer than they work
    yield GscoreSettings(encoder=str(folder), device="cpu")
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def loaded(settings: GscoreSettings) -> Counting:
    return Counting(settings)


@pytest.fixture
def encoder(loaded: Counting) -> Counting:
    loaded.encoded.clear()
    return loaded


def test_pairs_score_as_the_model_scores_them_one_by_one(encoder: Counting) -> None:
    predictions, references = zip(*PAIRS, strict=True)
    found = similarities(predictions, references, encoder)
    for (prediction, reference), similarity in zip(PAIRS, found, strict=True):
        if prediction:
            one, other = encoder._model.encode([prediction])[0], encoder._model.encode([reference])[0]
            expected = float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
            assert similarity == pytest.approx(expected, abs=1e-6)
    assert found[3] == 0
    assert found[4] == pytest.approx(1)


def test_each_distinct_window_is_encoded_once(encoder: Counting) -> None:
    similarities(["甲甲", "乙", "甲甲", "丙", ""], ["丙", "丙", "乙", "丁丁丁", "丙"], encoder)
    assert sorted(encoder.encoded) == ["丁丁丁", "丙", "乙", "甲甲"]


def test_a_text_that_fits_is_its_own_window(encoder: Counting) -> None:
    assert encoder.windows(["短文本", "短 文 本" * 50]) == [["短文本"], ["短 文 本" * 50]]


def test_a_long_text_is_covered_by_windows_of_one_length(encoder: Counting) -> None:
    tokenizer = encoder._model.tokenizer
    (windows,) = encoder.windows([LONG])
    lengths = [len(tokenizer(window, add_special_tokens=False)["input_ids"]) for window in windows]
    assert len(windows) > 2
    assert all(abs(length - 254) <= 2 for length in lengths)  # a word cut in two may have other tokens than the whole
    places = [(LONG.index(window), LONG.index(window) + len(window)) for window in windows]
    assert places[0][0] == 0
    assert places[-1][1] == len(LONG)
    for (_, end), (start, _) in pairwise(places):
        assert not LONG[end:start].strip()  # nothing lies between two windows


def test_the_vector_of_a_long_text_is_the_mean_of_its_windows(encoder: Counting) -> None:
    (windows,) = encoder.windows([LONG])
    vector = np.mean([encoder._model.encode([window])[0] for window in windows], axis=0)
    other = encoder._model.encode(["人工智能"])[0]
    (found,) = similarities([LONG], ["人工智能"], encoder)
    assert found == pytest.approx(cosine(vector, other), abs=1e-6)


@pytest.mark.parametrize(
    ("window", "stride", "count"), [(10, 10, 3), (10, 5, 4), (10, 1, 16), (25, 25, 1), (24, 24, 2)]
)
def test_windows_and_strides(settings: GscoreSettings, window: int, stride: int, count: int) -> None:
    short = Encoder(settings.model_copy(update={"window": window, "stride": stride}))
    text = "".join(
        chr(ord("一") + n) for n in (0, 1, 7, 8, 9, 10, 11, 13, 16, 22, 24, 37, 45, 48, 59, 61, 64, 66, 67, 73)
    )
    text += "上中大小天"  # 25 characters, each a token
    (windows,) = short.windows([text])
    assert len(windows) == count
    assert windows[0] == text[:window]
    assert windows[-1] == text[-window:]
    assert short.signature_fields()["window"] == str(window)
    assert short.signature_fields()["stride"] == str(stride)


def test_references_are_encoded_once_for_all_models(encoder: Counting, tmp_path: Path) -> None:
    references = ["参考一", LONG, "参考三"]
    cache = VectorCache(tmp_path)
    first = similarities(["回答一", "回答二", "参考三"], references, encoder, cache)
    assert encoder.encoded.count("参考一") == 1
    encoder.encoded.clear()
    second = similarities(["回答一", "回答二", "参考三"], references, encoder, VectorCache(tmp_path))
    assert sorted(encoder.encoded) == ["回答一", "回答二"]
    assert second == pytest.approx(first, abs=1e-6)


def test_damaged_vectors_are_computed_anew(encoder: Counting, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = VectorCache(tmp_path)
    first = similarities(["回答"], ["参考"], encoder, cache)
    (path,) = tmp_path.rglob("*.npy")
    path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    encoder.encoded.clear()
    assert similarities(["回答"], ["参考"], encoder, cache) == pytest.approx(first, abs=1e-6)
    assert "参考" in encoder.encoded
    assert "is damaged and removed" in caplog.text
    assert len(list(tmp_path.rglob("*.npy"))) == 1


def test_vectors_of_another_encoder_are_not_taken(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    fields = {"encoder": "a/b@1", "window": "510"}
    cache.put(fields, {"文本": np.ones(3, dtype=np.float32)})
    assert list(cache.get(fields, ["文本", "其他"], 3)) == ["文本"]
    assert cache.get({**fields, "window": "254"}, ["文本"], 3) == {}
    assert cache.get({**fields, "encoder": "a/b@2"}, ["文本"], 3) == {}
    assert cache.get(fields, ["文本"], 4) == {}


def test_a_pickle_is_never_loaded(tmp_path: Path) -> None:
    import hashlib
    import io

    content = io.BytesIO()
    np.save(content, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    cache = VectorCache(tmp_path)
    cache.put({"encoder": "x"}, {"文本": np.ones(3, dtype=np.float32)})
    (folder,) = tmp_path.iterdir()
    (folder / f"{hashlib.sha256(content.getvalue()).hexdigest()}.npy").write_bytes(content.getvalue())
    assert list(cache.get({"encoder": "x"}, ["文本"], 3)) == ["文本"]


def test_a_cache_that_can_not_be_written_costs_time_only(encoder: Counting, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert 0 < similarities(["some reply"], ["a reference"], encoder, VectorCache(file / "vectors"))[0] < 1


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([0.0, 0.0], [0.6, 0.8], 0.0),
        ([1.0, 0.0], [-1.0, 0.0], 0.0),
        ([1.0, 1.0], [2.0, 2.0], 1.0),
        ([1.0, 0.0], [0.0, 1.0], 0.0),
    ],
    ids=["zero_vector", "opposite", "same_direction", "orthogonal"],
)
def test_cosine(one: list[float], other: list[float], expected: float) -> None:
    assert cosine(one, other) == pytest.approx(expected)


def test_the_parts_and_their_sum(settings: GscoreSettings) -> None:
    predictions, references = zip(*PAIRS, strict=True)
    metric = Gscore(settings)
    result = metric.score(predictions, references)
    for pair in result.pairs:
        assert pair.similarity is not None
        assert pair.gscore == pytest.approx(
            0.2 * pair.bleu4 + 0.25 * pair.rouge2 + 0.25 * pair.chrf + 0.3 * pair.similarity
        )
    assert result.pairs[3] == (0, 0, 0, 0, 0)
    assert result.pairs[4].gscore == pytest.approx(1)
    assert result.gscore == pytest.approx(np.mean([pair.gscore for pair in result.pairs]))
    for field in ("encoder:model@", "window:254", "stride:254", "weights:0.2,0.25,0.25,0.3", "bleu:4,zh,"):
        assert field in result.signature
    assert str(result).startswith("gscore = ")


def test_evaluate_loads_the_metric(settings: GscoreSettings, tmp_path: Path) -> None:
    metric = evaluate.load(METRIC_PATH, cache_dir=str(tmp_path / "evaluate"))
    given = {"predictions": ["猫坐在垫子上。", ""], "references": ["猫坐在垫子上。", "狗"]}
    options = {"encoder": settings.encoder, "device": "cpu", "cache_folder": str(tmp_path / "vectors")}
    found = metric.compute(**given, **options)
    assert found["gscore"] == pytest.approx(0.5)
    assert found["gscore_by_pair"] == pytest.approx([1, 0])
    assert found["signature"] == gscore(*given.values(), encoder=settings.encoder, device="cpu").signature
    assert "gscore" not in metric.compute(**given, similarity="off")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"encoder": "no-owner/no-such-model"},
            r"encoder 'no-owner/no-such-model' \(torch, float32.*\): .*\"similarity\" to \"off\"",
        ),
        ({"encoder": str(Path(__file__).parent)}, "encoder '.*zh_metrics' .*: .*Name a sentence-transformers model"),
        ({"window": 900}, "it takes 254 tokens at once: set 'window' to that or less, not to 900"),
        ({"stride": 255}, "a stride of 255 leaves tokens out of windows of 254"),
        ({"device": "nonsense"}, "encoder .*nonsense"),
    ],
)
def test_an_encoder_that_can_not_be_had_is_told_at_once(
    settings: GscoreSettings, change: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)  # the variable is read at import
    with pytest.raises(EncoderError, match=message):
        Gscore(settings.model_copy(update=change))
