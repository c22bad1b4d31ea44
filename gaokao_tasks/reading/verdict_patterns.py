"""How replies state their answer: answer labels, answer phrases, and the words around them that change what they say.

All patterns are for plain text (`reply_text.plain_text`); the letters of one are its group `letters`. `verdicts` puts
them together.
"""

from __future__ import annotations

import re

from gaokao_tasks.reading.option_letters import GROUP, LOWER_GROUP

# --- labels: 【答案】C, 答案：C, Answer: C, or a heading with the letter on the next line

_QUALIFIERS = r"(?:正确|参考|最终|标准|本题|此题|最佳|我的|(?i:the |my |correct |final |best )){0,3}"
_RIGHT_ANSWER = r"(?<![真反改修])正解(?![决释除放析答说])"
_WORD = rf"(?:答 ?案|{_RIGHT_ANSWER}|(?i:\banswers?(?: key)?\b)|(?i:\bans\b))"
_COLONS = r"[:= ]{0,4}"
LABEL = re.compile(
    rf"[【\[《] ?{_QUALIFIERS}(?:{_WORD}|答)(?:选项)?(?: ?[】\])》]|(?=[:= A-Ha-h(\n])) ?{_COLONS}"  # 【答案】, or its first half
    rf"|\( ?{_QUALIFIERS}{_WORD} ?\){_COLONS}"
    rf"|{_QUALIFIERS}{_WORD} ?[】\]]{_COLONS}"  # or its second half
    rf"|{_QUALIFIERS}{_WORD}(?:应?为|应?是| is)? ?(?:\([^()\n]{{1,20}}\) ?)?[:=]{_COLONS}"  # a colon
    rf"|{_QUALIFIERS}{_WORD} ?\| ?(?=\(?[A-Ha-h]\)? ?(?:\||$))"  # a row of a table
    rf"|(?:(?<![A-Za-z\u4e00-\u9fff])|(?<=[回解作故]))答 ?[:】]{_COLONS}"  # 答：, 回答：
    rf"|^ ?{_QUALIFIERS}{_WORD}(?=\n)",  # a heading
    re.MULTILINE,
)
# Words between a label, or 答案, and its letters.
_FILLER = (
    r"(?:[ :=\->]|应该|应当|应|该|就|便|即|也|只能|只有|可能|很可能|最可能|大概|显然|当然|确实|分别|是|为|故|选择|选|填"
    r"|只可能|唯有|锁定|确定|必然|必定|必|一定|肯定|明显|其实|(?:毫无疑问|不言而喻|显而易见|无疑),?"
    r"|(?i:the |answer |is |it's |should be |would be |probably |definitely |letter )){0,6}"
)
LABELLED = re.compile(rf"{_FILLER}(?P<letters>{GROUP}|{LOWER_GROUP})")
# The option's text and then its letter: 【答案】二氧化碳（C）, 【答案】综上应为 C.
BRACKETED_LAST = re.compile(rf"\((?P<letters>{GROUP})[ 。.]?$")
LAST = re.compile(rf"(?:[ :,。]|选项|选|是|为)(?P<letters>{GROUP})[ 。.]?$")
# A letter with its text, and one more: 【答案】A. ①② B. ①③
TEXT_FOLLOWS = re.compile(r" ?[.、:)]")
NEXT_LETTERED = re.compile(
    r"(?:[ ;,、\n](?<!ption )(?<!hoice )|和|与|及|或者?)[(\[]?(?P<letter>[A-Ha-h])[)\]]? ?[.、:)](?! ?(?:错|不))"
)
# Lines that begin so, below the first one.
LETTERED_LINES = re.compile(r"(?:\n[(\[]?[A-H][)\]]? ?[.、:)](?! ?(?:错|不))[^\n]*){1,7}")
# Content that says there is no answer, so that nothing before it counts either.
DENIAL = re.compile(
    r"无(?![机色氧水盐])|没|题目|题干|有误|缺|空集|未|不(?:存在|能|可|确定|知|清|明|详|完整|足|对|正确|符|在|够)"
    r"|(?i:\bno\b|\bnot\b|none|cannot|can't|unable|unknown|n/a|doesn't)"
)
NO_ANSWER = re.compile(
    r"(?:无法|不能|难以|没法)(?:从[^,。\n]{1,12}中)?(?:确定|得出|判断|选出|选择|给出)[^,。;\nA-H]{0,10}?答案(?!是否|的?正确)"
    r"|(?:无法|不能)(?:作答|回答)|答案(?:是|为|:){1,2}(?:无|没有|不存在)"
    r"|(?:^|[,。;\n]|所以|因此|故|四个|所有|全部|以上|上述)(?:的|给出的)?选项(?:都|均)?不(?:正确|对)"
    r"|(?:没有|无)(?:任何)?(?:一个)?(?:正确|符合)(?:题意)?的?(?:答案|选项)"
    r"|(?i:none of the (?:above|options|choices)(?! ?(?:,? ?(?:except|but|other than)\b|[,(]? ?(?-i:[A-H])\b))"
    r"|(?:cannot|can't|unable to) (?:determine|answer)(?![^.\n]{0,30}(?:certain|sure|definitive)))"
)

# In the sentence before such words: they only qualify the answer already given, or one that follows.
CAVEAT = re.compile(r"^\W{0,3}(?:(?<=\()|备?注|说明|提示|严格|(?i:note|strictly))")
CONCEDED = re.compile(
    r"(?:虽然?|尽管|(?i:\b(?:although|though|while)\b))(?!.*(?:但|可是|然而|不过|却|(?i:\bbut\b|however)))"
)

# --- phrases: a cue and the letters

# After the letters: the end of the clause or words that carry on about the choice, not a noun they are part of.
_CLAUSE_END = (
    r"(?= ?(?:$|、(?! ?[A-H])|[\n。.,;:!?()\]】…\-√A-Za-z]|两项|[二三四]项|才|最|更|较|是|为|因|由|而|但|吧|了|哦|啦|呀|啊"
    r"|符合|正确|显然|均|都|这|即|也|比|理由|对应|作为|不|就|还))"
)
_LENIENT = rf"(?P<letters>{GROUP}|{LOWER_GROUP})"
_STRICT = rf"(?P<letters>{GROUP}{_CLAUSE_END}|{LOWER_GROUP})"
_SENTENCE = rf"(?P<letters>{GROUP})(?= ?(?:$|[\n。!]|\.(?!\.)))"

_NOUN = r"(?:(?<!其[他它余])(?<!各)选项|选择|一项|答案|解法|说法|叙述|表述|描述|判断|推断|分析|理解|解释|做法|措施|组合|命题|结论)"
_IS = r"(?:应该|应当|应|就|便|也|只有|仅有|分别|可能|只能|,| ){0,4}(?:是|为|只?有|:|包括)(?:[: ]|选项){0,3}"
_NEXT_LINE = r"(?:(?<=[是为有择选se]:)\n)?"  # not after 分析:
_EN_IS = (
    r"(?: ?[:=\-]| (?i:is|was|are|would be|should be|must be|will be|has to be|might be|to be|should actually be)){1,2}"
)
_EN_FILLER = (
    r"(?: ?(?i:(?:most )?(?:likely|probably|definitely|clearly|therefore|thus|actually|indeed|now|simply|still)|[:,]"
    r"|the|option|choice|answer|letter)){0,4} ?"
)

PHRASES: dict[str, re.Pattern[str]] = {
    # 答案是C, 答案应该选择 C
    "answer": re.compile(rf"(?:答 ?案(?:选项)?|{_RIGHT_ANSWER}){_FILLER}{_LENIENT}"),
    # | 题号 | 答案 | above | 1 | C |
    "table": re.compile(
        rf"(?:答案|(?i:answer)) ?\|[^\n]{{0,40}}\n[| ]{{0,3}}[0-9]{{1,3}} ?\| ?(?P<letters>{GROUP})(?= ?(?:\||$))",
        re.MULTILINE,
    ),
    # 故选C, 所以选择选项C, 选了 D: words before or after 选 leave no doubt that it is a choice
    "concluding choice": re.compile(
        r"(?:(?:故|应|因此|所以|综上|本题|此题|该题|最终|最后|正确)[, ]?(?:应该|应当|应|该|会|只能)?选(?:择|取|定|出)?"
        rf"|选(?:择|取|定)?了)(?:的是|的)?(?:答案|选项)?[:= ]{{0,3}}(?:是|为)?[: ]{{0,3}}{_LENIENT}"
    ),
    # 选C, 选择的是C, 填C
    "choice": re.compile(
        r"(?:选(?!项)|填)(?:择|取|定|出|的|了|是|为|应|答案|选项|最(?:为|接近|合适|合理|符合题意|恰当|可能)的|[:= ]){0,5}"
        rf"{_NEXT_LINE}{_STRICT}"
    ),
    # 正确选项为A和C, 符合题意的是D, 结论是B
    "option that": re.compile(rf"(?:{_NOUN}|(?<=的)){_IS}{_NEXT_LINE}{_STRICT}"),
    # 应为C, 改选C, 而是C
    "correction": re.compile(
        r"(?:更正|改选|改为|改成|更改为|修正|订正|纠正|换成|应为|应是|应该(?:是|为|选)|应当(?:是|为)|而是|其实是)"
        rf"(?:为|成|[: ]|答案|选项|选){{0,4}}{_STRICT}"
    ),
    # 我认为C, 我觉得应该是C
    "opinion": re.compile(
        r"(?:(?:认为|觉得|猜测?|倾向于?|估计|推测)(?:答案|应该|应|是|为|[: ]){0,4}"
        rf"|(?:发现|意识到|看出)(?:答案|其实|应该|应|是|为){{1,4}} ?){_STRICT}"
    ),
    # D也应选
    "also": re.compile(rf"(?P<letters>{GROUP}) ?(?:也|同样)(?:应该|应当|应|要|需)?(?:选(?!项|择题)|当选|入选)"),
    # 结果：AB, Output: C
    "result": re.compile(
        r"(?:结果|结论|决定|输出|答曰|(?i:\boutput|\bresult|\bfinal|\bkey|\bprediction|\bans)\b\.?)"
        rf"(?:[:= ]|是|为|应){{1,3}}{_STRICT}"
    ),
    # ，应该是C。
    "it is": re.compile(
        r"(?:^|(?<=[,。;!?\n]))(?:(?:那么|那|这题|这)?(?:就|应该|最?可能|大概|也许|或许|肯定|一定|还)?是|(?:对|嗯|没错|是的|好),)"
        rf"{_SENTENCE}"
    ),
    # 因此，C。 ∴B 对应选项C。
    "conclusion": re.compile(
        r"(?:(?:因此|所以|故|综上(?:所述)?|总之|∴|本题|此题|毫无疑问|显然|解析?:)[,: ]{0,2}(?:是|为)?|(?:即|对应的?)(?=选项|[A-H] ?选?项))"
        rf"{_SENTENCE}"
    ),
    # 非C莫属
    "none but": re.compile(rf"非 ?(?P<letters>{GROUP}) ?(?:莫属|不可)"),
    # The answer is (B), correct option: B
    "english answer": re.compile(
        r"(?i:\banswers?(?: choice| option)?|\b(?:correct|right|best|my|final|only|suitable|appropriate)"
        r" (?:option|choice|one|statement|pick|answer|guess|selection|letter)s?|\bchoice|\boption)\)?(?: ?\([^()\n]{1,20}\))?"
        rf"{_EN_IS}{_EN_FILLER}{_NEXT_LINE}{_LENIENT}"
    ),
    # I'd go with C
    "english choice": re.compile(
        r"(?i:\b(?:choose|chose|pick|picked|select|selected|go with|going with|went with|settle on|opt for|lean(?:ing)? towards?|stick with"
        rf"|vote for|answer with|change (?:it|my answer) to|mark|guess|say|think it's|think it is)){_EN_FILLER}"
        rf"{_NEXT_LINE}{_STRICT}"
    ),
    # 与选项B一致, which corresponds to option B: said in passing
    "match": re.compile(rf"与(?=选项|[A-H] ?项)(?P<letters>{GROUP}) ?(?:的?内容)?(?:相?一致|相符|吻合)"),
    "english match": re.compile(
        r"(?i:\b(?:correspond(?:s|ing)? (?:to|with)|match(?:es|ing)?|is|(?:agrees|consistent) with))"
        rf"(?i: the)?(?i: correct)?(?i: answer)? (?=\(?(?:[Oo]ption|[Cc]hoice)){_STRICT}"
    ),
    # it's B, it must be B
    "english it is": re.compile(
        r"(?i:\b(?:it|that|this)(?:'s| is| must be| has to be| should be| would be))"
        rf"{_EN_FILLER}(?P<letters>{GROUP}{_CLAUSE_END})"
    ),
    # Therefore, B. Actually B. Answer B.
    "english conclusion": re.compile(
        rf"(?i:\b(?:therefore|thus|hence|so|finally|actually|correction|edit|answer|but|no|yes))[,:]?{_EN_FILLER}{_SENTENCE}"
    ),
    # B是正确答案, 选项C才是对的, C而不是D, B is the correct answer
    "letters first": re.compile(
        rf"(?P<letters>{GROUP})(?: ?(?:才|就|便|即|显然|明显|确实|无疑|应该|应){{0,2}}(?:是|为)(?:本题|此题|该题|唯一|最终|最|的){{0,3}}"
        r"(?:正确|最佳|最好|最优|恰当|合适)?的?(?:答案|(?<=[确佳好优当适的])(?:选项|选择|一项))"
        r"| ?才(?:是|正确|对)(?!错|不)| ?应?(?:当选|入选)| ?应选(?=$|[\n,。;])"
        r"|(?=,? ?(?:而不是|而非|(?i:rather than|instead of|not )) ?[(\[]?[A-H](?![A-Za-z]))"
        r"|(?i: is| must be| would be| should be)(?i: the| my)?(?i: only)?(?i: correct| right| best)?"
        r"(?i: answer| option| choice| one)\b|(?i: it is\b))"
    ),
}
# 不选A, 答案不是B: letters the reply says it does not choose
REFUSAL = re.compile(
    r"(?:(?<!不得)不(?:能|应该|应当|应|该|可以|可|要|会|宜|予|当|再)?选择?|答案(?:绝|并|肯定|就)?(?:不是|不可能是|非)"
    rf"|(?i:answer (?:is not|isn't|cannot be)|(?:not|n't) choose))(?: |选项){{0,2}}(?P<letters>{GROUP})(?! ?(?:莫属|不可))"
)
# Between two verdicts that are one: 选A、选C
AND = re.compile(r"[ )\]】]{0,3}(?:应?当选|入选|应选)?(?:、|,|和|与|及|以及|and|&)[ ,(\[【]{0,3}")

# --- the words around a phrase

# Right before it: the choice is denied, or called a mistake.
DENIED_BEFORE = re.compile(
    r"(?:(?<!不得)(?<!不能)不|非|未|没|勿|误|错|(?<![分特个区判识辨])别|漏|(?<!不)免|莫|乱|拒绝|放弃|无法|难以"
    r"|(?i:not|never|n't|cannot|don't|\bnor|\bneither|avoid|wrongly|mistakenly|incorrect|wrong))"
    r"(?:有|能|应该|应当|应|该|可以|可|要|会|宜|予|当|再|得|是|敢|建议|推荐|就|直接| ){0,4}$"
)
# Earlier in the clause: it is another's choice, an easy mistake, a question, or no longer the writer's.
NOT_OWN = re.compile(
    r"原本|原先|最初|起初|一开始|本来(?!就)|(?i:\binitially|\boriginally|\bat first\b(?! glance))"
    r"|同学|学生|考生|有人|[多少些]人|别人|他人|(?<!这就是)(?<!这也是)为什么|为何|是否|不认为|不觉得|不同意"
    r"|(?:可能会|往往|容易|常常?|易)$|常见的?错误|易错|误区|陷阱"
    r"|(?:参考|标准|官方|网上|书上)的?(?:答案|解答)(?:给|写|标|上|里|说|却)|答案[册页书上里]{1,2}[给写标说印]"
    r"|(?:但|可|而|不过|然而)是?(?:参考|标准|官方)$"
    r"|(?i:\btempt|(?<!made a )\bmistakes?\b|\bpitfall|\bdistractor)|(?i:\b(?:students?|people|many|some|others)"
    r"(?: (?:students|people|readers|often|might|may|would|will|could|can|usually|wrongly|mistakenly|also)){0,3} $)"
)
# Earlier in the sentence: it is supposed. 如果必须选择 supposes nothing of the question.
SUPPOSED = re.compile(
    r"(?:如果|若|假如|要是)(?!是?我?(?:必须|一定要|一定得|非要|非得|非选|只能选|硬要))|假设|假定|倘若|当[^,。]{1,15}时"
    r"|(?i:\bif\b(?! (?:(?:i|we|you) )?(?:(?:really )?(?:had|have) to|must|(?:am |were )?forced))|\bsuppose\b|\bassum(?:e|ing)\b)"
)
# Earlier in the sentence: a mistake is described.
MISTAKE = re.compile(
    r"(?:常见的?错误|易错(?:选?项|点)?|误区|陷阱|(?i:common (?:mistake|error)s?|pitfall))(?:是|为|:|在于|有)"
)
# Earlier in the clause: what is named is the wrong option, which is the answer where the question asks for it.
WRONG_NAMED = re.compile(r"错误|不正确|不恰当|不准确|不符|不合|不成立|不妥|有误|不当|不对|(?i:incorrect|wrong|false)")
# Right after it: denied, or only talked about.
DENIED_AFTER = re.compile(
    r" ?(?:项|选项)?(?:[二两三四]项)?(?:都|均|也|是|就|则|会|显然|明显){0,3}"
    r"(?:错|不对|不正确|不行|不符|不成立|不妥|不可|有误|不合|不选(?! ?[A-H])|(?i: ?(?:is|are) (?:wrong|incorrect|not)))"
)
TALKED_ABOUT_AFTER = re.compile(
    r" ?(?:的(?=[\u4e00-\u9fff])(?!说法|观点|看法|表述|判断|描述)|吗|呢|么|\?|还是|(?i:or not\b))"
)

CLAUSE_BREAK = re.compile(r"[,。;!?\n:()]|\. ")
SENTENCE_BREAK = re.compile(r"[。;!?\n]|\. ")
