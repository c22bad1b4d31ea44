"""The three parts of a Gscore that count what two texts share: BLEU-4, ROUGE-2 and chrF. Each in [0, 1].

All three come from the libraries in which they are defined, with sacrebleu's `zh` tokens for the first two: each Chinese
character is a token, other text is split as mteval's 13a does. What the tokenizer takes for Chinese differs from Unicode
at the edges: arrows and mathematical signs count as Chinese, characters beyond U+FFFF such as 𠀀 do not, so that a run of these is one
token.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import sacrebleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer


class LexicalParts(NamedTuple):
    """Each in [0, 1]."""

    bleu4: float
    rouge2: float
    chrf: float


def lexical_parts(prediction: str, reference: str) -> LexicalParts:
    """BLEU-4, ROUGE-2 F1 and chrF of a prediction against its reference; 0 in each where one of them is blank.

    BLEU-4 is the sentence's, with exponential smoothing, over as many orders as the prediction has (a right answer of
    two tokens scores 1). ROUGE-2 of a text of one token is 0: it has no bigram. chrF is sacrebleu's default: character
    6-grams, beta 2, white space aside. Letters keep their case, and no text is converted: full-width and half-width,
    Traditional and Simplified characters differ.
    """
    if not prediction.strip() or not reference.strip():
        return LexicalParts(0.0, 0.0, 0.0)
    bleu, rouge, chrf = _scorers()
    return LexicalParts(
        bleu4=_share(bleu.sentence_score(prediction, [reference]).score),
        rouge2=float(rouge.score(target=reference, prediction=prediction)["rouge2"].fmeasure),
        chrf=_share(chrf.sentence_score(prediction, [reference]).score),
    )


def chrf(prediction: str, reference: str) -> float:
    """chrF of a prediction against its reference, in [0, 1]; 0 where one of them is blank."""
    if not prediction.strip() or not reference.strip():
        return 0.0
    return _share(_scorers()[2].sentence_score(prediction, [reference]).score)


def signature_fields() -> dict[str, str]:
    """What the three parts depend on, in sacrebleu's words."""
    return {
        "bleu": "4,zh,exp,effective_order",
        "rouge": "2,f1,zh",
        "chrf": "6,beta2",
        "width": "kept",
        "sacrebleu": str(sacrebleu.__version__),
    }


class _Tokens:
    """sacrebleu's tokens for rouge_score, whose own tokenizer drops all Chinese."""

    def __init__(self) -> None:
        self._tokenizer = TokenizerZh()  # type: ignore[no-untyped-call]

    def tokenize(self, text: str) -> list[str]:
        return str(self._tokenizer(text)).split()


@cache
def _scorers() -> tuple[BLEU, RougeScorer, CHRF]:
    from rouge_score.rouge_scorer import RougeScorer  # imports all of nltk: only who scores waits for it

    return BLEU(tokenize="zh", effective_order=True), RougeScorer(["rouge2"], tokenizer=_Tokens()), CHRF()


def _share(score: float) -> float:
    return min(1.0, float(score) / 100)  # 100.00000000000004 of an identical text
