"""What a reply says of each option: A正确, B选项…不符合题意, 其余均错误, 除D外都对; and what follows for the answer.

Used where a reply states no answer outright. All patterns are for plain text (`reply_text.plain_text`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gaokao_tasks.reading.option_letters import SUBJECT, letters_in

_END = r"(?=$|[\n,。;.!、\s)A-H|]|的(?![\u4e00-\u9fff])|项|选项)"
_WRONG = (
    r"(?:(?:不|未|没有|没能|并非|不够|不太|不完全|不甚|无法)(?:是|很|能|太|完全|够|可|当|应|宜)?"
    r"(?:正确|对|符|恰当|准确|成立|合适|合理|妥|选|相符|一致|体现)"
    # The kinds of faulty sentences and of distractors that the subject Chinese has names for.
    r"|成分(?:残缺|赘余)|搭配不当|语序不当|句式杂糅|结构混乱|表意不明|不合逻辑|有语病|有歧义|缺少?(?:主语|宾语|谓语)"
    r"|张冠李戴|强加因果|于文无据|答非所问|言过其实|[用使]\S?不当|[前自][后相]矛盾|因果(?:倒置|颠倒)|扩大范围|范围扩大|夸大"
    rf"|错误|有误|有问题|(?:可以?)?排除|错{_END}|错的|误{_END}|×|无关|相反|相悖|片面|绝对{_END}|以偏概全|偷换概念|无中生有|曲解"
    r"|(?i:\bincorrect|\bwrong|\bfalse|\bnot (?:correct|right|true|supported)|n't (?:correct|right|true)))"
)
_RIGHT = (
    rf"(?:正确(?!地|[描反理认处把使区看])|对(?:的)?{_END}|符合|[最更](?:好|优|佳|贴切|贴合|妥当)|恰当|准确|成立|合适|当选|入选|可选"
    r"|没有(?:任何|明显)?(?:语病|错误|问题|毛病)|无(?:语病|错误|误(?![解会差]))"
    r"|与(?:原文|文意|题意|题干|材料|文章)(?:内容|意思)?(?:相|保持)?一致"
    r"|相符|√|(?i:\bsupported\b|\bcorrect|\bright\b|\btrue\b|\bfits (?:better|best)))"
)
_BEST = r"(?:[最更]为?(?:符合|恰当|准确|合适|贴切|贴合|合理|妥当|好|优|佳)(?!的)|(?i:\bfits? best))"
# Between options and what is said of them.
_LINK = (
    r"(?:[ :(?|>\-]|选项|项|答案|的?(?:说法|表述|叙述|描述|内容|观点|判断)|[二两三四][项个者]|都|均|皆|也|是|就|则|才|最|完全|显然|明显|更|全"
    r"|(?:与|和)[^\n,。;A-Z]{1,10}?(?=不|无关|相)|(?i:are|is|seems?|looks?|appears?|to be|all|both|the|statement)){0,6}"
)
# What can be said of the only option that does so, unless it is the only wrong one.
_FITS = r"(?i:(?:works?|fits?|matches|makes sense|remains?|agrees)\b|(?:is|are) (?!not\b|in|un|wrong\b|false\b)[a-z]+)"
_REST = r"(?:其余|其他|其它|另外|剩下|余下|(?i:the (?:others|rest)))(?:的|各|几|[二两三]|个|选项|项|答案|说法){0,4}"
# All options, unless it is all of one: A项全部正确.
_ALL = r"(?:以上|上述|四个|所有|(?:(?<![^\s,。;:!?(])|(?<=[^A-H]选项))全部|(?i:all (?:of the above|options|four)))"
# What a line, a sentence or a row of a table begins with if it is about one option: C. | C选项： | C |
_TEXT_LABEL = (
    r"(?:^|(?<=[。;!\n])) ?(?:[(\[]?[A-H][)\]]? ?[.、:,)]|(?:选项|[Oo]ption ?)[A-H] ?[.:]|[A-H] ?选?项 ?[:,])"
    r"(?! ?[A-H](?![A-Za-z]))"
)
_ROW_LABEL = r"(?:^|(?<=\n))\| ?(?:选项 ?)?[A-H] ?(?:选?项)? ?[|.、:]"
_NAMES = r"的?(?:选项|说法|叙述|表述|一项|项)?(?:应该?)?(?:是|为|有|:|包括){1,2} ?"
_RULES_OUT = (
    r"(?:排除|去掉|划去|否定|不可能(?:是|选)|不会是|(?i:eliminat(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out|exclud(?:e|es|ed|ing)))"
    r"(?:了|掉|选项|:| ){0,2}"
)

_TOKEN = re.compile(
    r"(?P<aside>是否\S{0,4}|正确与否|对错|正误|正确率|正确性|错误率|(?:正确|错误)答案)"  # no judgements
    rf"|(?P<named_wrong>(?:{_WRONG}{_NAMES}|{_RULES_OUT}){SUBJECT})"  # 错误的是A、B
    rf"|(?P<named_right>{_RIGHT}{_NAMES}{SUBJECT})"
    rf"|(?P<neither>(?i:\b(?:neither|none of)) {SUBJECT}(?:,? nor {SUBJECT}){{0,3}}(?!{_LINK}(?:{_WRONG})))"
    r"|(?P<marks>(?:^|(?<=\n)) ?[√×] ?[A-H](?![A-Za-z])(?:[ ,;、|]{1,3}[√×] ?[A-H](?![A-Za-z])){0,7})"  # × A √ B
    rf"|(?P<all>{_ALL}(?:的|四个|选项|说法|各项|项|答案){{0,4}}(?={_LINK}(?:{_WRONG}|{_RIGHT})))"
    rf"|(?P<except>(?:除了?|(?i:all (?:\w+ )?except(?: for)?)) ?{SUBJECT}(?:(?:以|之|而)?外)?,?(?:{_REST})?)"
    rf"|(?P<only_fits>(?i:\bonly) {SUBJECT} {_FITS})"
    rf"|(?P<only>(?:只有|仅有?|唯有|唯一|(?i:\bonly)) ?{SUBJECT})"
    rf"|(?P<rest>{_REST})"
    rf"|(?P<label>{_ROW_LABEL}|{_TEXT_LABEL})"
    rf"|(?P<subject>{SUBJECT})"
    rf"|(?P<best>{_BEST})"
    rf"|(?P<wrong>{_WRONG})|(?P<right>{_RIGHT})|(?P<stop>[。;!])|(?P<line>\n)",
    re.MULTILINE,
)
_JUDGED = re.compile(rf"{_LINK}(?:{_WRONG}|{_RIGHT}|{_BEST})")
_NAMES_OPTIONS = re.compile(r"项|(?i:option|choice)")
_MARK = re.compile("([√×]) ?([A-H])")
_COUNTED = re.compile(r" ?[两三]项")
_CONCLUDES = re.compile(r"(?:因此|所以|综上(?:所述)?|可见|总之|由此可知|(?i:therefore|thus|hence|so)),? ?$")
BREAKS_OFF = re.compile(r"[^\s。.!?…)\]】;的了]$")


@dataclass
class Statements:
    """The options a reply calls right, calls wrong, and mentions.

    Of the right ones, `concluded` holds those called right in a conclusion, `together` those called right with others,
    `best` the one called best, `marked` those ticked; of the mentioned ones, `discussed` those spoken of as
    options (A项). `unfinished` says that the text breaks off after the last judgement.
    """

    right: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)
    concluded: set[str] = field(default_factory=set)
    together: set[str] = field(default_factory=set)
    best: set[str] = field(default_factory=set)
    marked: set[str] = field(default_factory=set)
    discussed: set[str] = field(default_factory=set)
    unfinished: bool = False

    def judge(self, letters: set[str], right: bool) -> None:
        """Record a judgement; a later one on the same option replaces it."""
        for letter in letters:
            (self.right if right else self.wrong).add(letter)
            (self.wrong if right else self.right).discard(letter)
        if right and len(letters) > 1:
            self.together = letters


def find_statements(text: str, options: str) -> Statements:
    """The judgements of `text` on the letters of `options`, in one pass over it."""
    found = Statements()
    every = frozenset(options)
    nothing: frozenset[str] = frozenset()
    subject = opposite = excepted = label = nothing
    # `opposite`: options that get the opposite judgement, as 只有B正确 judges the others too; `excepted`: those of the
    # sentence's 除…外; `label`: the option whose line this is.
    concluding, judged_up_to = False, 0
    for token in _TOKEN.finditer(text):
        kind, letters = token.lastgroup or "", frozenset(_letters(token)) & every
        if kind in ("right", "wrong", "best"):
            judged_up_to = token.end()
            found.judge({*subject}, kind != "wrong")
            found.judge({*opposite}, kind == "wrong")
            if concluding and kind == "right":
                found.concluded |= subject
            if kind == "best":
                found.best = {*subject}
            if token[0] == "√":
                found.marked |= subject
        elif kind in ("named_right", "named_wrong", "neither"):
            found.judge({*letters}, kind == "named_right")
        elif kind == "marks":
            judged_up_to = token.end()
            for mark, letter in _MARK.findall(token[0]):
                found.judge({letter} & every, mark == "√")
        elif kind == "only_fits":
            found.judge({*letters}, right=True)
            found.judge({*every - letters}, right=False)
        elif kind == "line":
            subject = opposite = excepted = label = nothing
        elif kind == "stop":
            subject, opposite, excepted = label, nothing, nothing
        elif kind == "all":
            subject, opposite = every, nothing
        elif kind == "rest":
            judged = found.right | found.wrong
            subject, opposite = every - judged if judged else nothing, nothing
        elif kind == "except":
            subject, opposite, excepted = every - letters, letters, letters
        elif kind == "only":
            subject, opposite = letters, every - letters
        elif kind == "label":
            subject, opposite, label = letters, nothing, letters
        elif kind == "subject" and excepted and letters == every - excepted:
            subject, opposite = letters, excepted  # 除D外，A、B、C都正确
        elif kind == "subject" and (
            (names_options := _NAMES_OPTIONS.search(token[0]) or _COUNTED.match(text, token.end()))
            or _JUDGED.match(text, token.end())
        ):
            subject, opposite = letters, nothing
            if names_options:
                found.discussed |= letters
            concluding = _CONCLUDES.search(text, max(0, token.start() - 8), token.start()) is not None
        if kind == "label" and _NAMES_OPTIONS.search(token[0]):
            found.discussed |= letters
        if kind in ("label", "subject") and subject == letters:
            found.mentioned |= letters
    found.unfinished = BREAKS_OFF.search(text, max(judged_up_to, len(text) - 1)) is not None
    return found


def _letters(token: re.Match[str]) -> str:
    """The options a token names; B和D，D更好 is about D."""
    before, _, last = token[0].rpartition(",")
    again = set(letters_in(last)) & set(letters_in(before))
    return letters_in(last if again else token[0])


def settle(found: Statements, options: str, several: bool) -> str:
    """The answer that follows from judgements alone, sorted; empty unless only one reading is safe.

    The question may ask for the right option or for the wrong one, and cannot be seen. Of several right options any
    number may be meant, so there all have to be judged.
    """
    right, wrong = found.right, found.wrong
    complete = len(right) + len(wrong) == len(options)
    alone = not wrong and found.mentioned <= right and not found.unfinished
    answer: set[str] = set()
    if several:
        if complete or alone:
            answer = right
    elif len(right) == 1 and (len(wrong) >= 2 or alone):
        answer = right
    elif len(right) == 1 and right == found.concluded and len(found.mentioned) == len(options):
        answer = right  # 因此选项C正确, and all the others are only discussed
    elif len(right) == 1 and not found.unfinished and len(found.discussed) == len(options):
        answer = right  # A项，只是表象；B项正确；C项，……
    elif len(right) == 1 and right == found.marked and len(found.mentioned) == len(options):
        answer = right  # a tick in the list of options
    elif len(right) == 1 and right == found.best:
        answer = right
    elif complete and len(wrong) == 1:
        answer = wrong  # three are right, so the question asks for the odd one out
    elif not right and len(wrong) == len(options) - 1:
        answer = set(options) - wrong
    elif len(right) > 1 and ((right == found.together and not wrong) or (complete and len(right) == 2)):
        answer = right  # two answers to a question that asks for one
    return "".join(sorted(answer))
