"""Whatever the released code's grammar can produce is read: texts drawn from its rules, with blanks and comments."""

import random

import pytest

from poise.language.parse import parse_script
from poise.language.tree import Script
from script_worlds import BODY

JOINTS, PARTS = BODY.joint_names, [*BODY.part_names, "lFArm", "rFArm"]
#: Words of the language may be names of parameters, too.
VARIABLES = [
    "dt",
    "x",
    "j",
    "p",
    "c",
    "time",
    "to",
    "on",
    "complete",
    "linterp",
    "cop",
    "void1",
    "A_b9",
    "POSE",
    "s",
    "stable",
]


class Writer:
    """Draws statements by the rules: `s` is where blanks may stand, `S` where they must."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def s(self) -> str:
        return self.pick("", "", " ", "\n", "\t ", " \r\n")

    def S(self) -> str:
        return self.pick(" ", " ", "\n", "\t", "\n\n  ", "\r\n")

    def maybe(self, text: str) -> str:
        return self.pick("", text)

    def word(self) -> str:
        return self.pick("a", "B2", "_x", "9", "BOX_1", "time")

    def joint(self) -> str:
        return self.random.choice(JOINTS)

    def part(self) -> str:
        return self.random.choice(PARTS)

    def number(self) -> str:
        return self.pick("7", "-7", "7.", "-07.", ".5", "-.5", "0.5", "-12.250", "0", "1000")

    def value(self, depth: int = 0) -> str:
        if depth < 2 and self.random.random() < 0.15:
            inner = ",".join(self.s() + self.value(depth + 1) + self.s() for _ in range(5))
            return f"linterp{self.s()}({inner})"
        return self.random.choice([self.number(), self.random.choice(VARIABLES)])

    def inside(self, *items: str) -> str:
        return ",".join(self.s() + item + self.s() for item in items)

    def gains(self) -> list[str]:
        return [self.value() for _ in range(self.random.randrange(3))]

    def comment(self) -> str:
        return "#" + self.pick("", " anything; (else) PHASE", "# SET A = 1", "ENDACTIONS'") + "\n"

    def pose(self) -> str:
        return f"{self.joint()}({self.inside(self.value(), *self.gains())})"

    def feedback(self) -> str:
        return (
            f"{self.joint()}({self.inside(self.value(), self.value())}).on{self.s()}({self.s()}"
            f"{self.pick('joint' + self.s() + self.joint(), 'part' + self.s() + self.part())})"
        )

    def listed(self, make: str) -> str:
        return f"{self.s()},{self.s()}".join(getattr(self, make)() for _ in range(self.random.randrange(1, 4)))

    def action(self) -> str:
        s, S, v = self.s, self.S, self.value
        three = self.inside(v(), v(), v())
        by = f".by{s()}({s()}{self.joint()}{s()})"
        over = f".over{s()}({s()}{self.pick('cop', self.part())}{s()})"
        base = f".base{s()}({s()}{self.joint()}{s()})"
        return self.random.choice(
            [
                lambda: f"POSE{S()}{self.listed('pose')}{s()};",
                lambda: f"POSEFB{S()}{self.listed('feedback')}{s()};",
                lambda: f"LIPOSE{S()}{self.pose()}.time{s()}({s()}{v()}{s()}){s()};",
                lambda: (
                    f"VPD{S()}{self.part()}({self.inside(v(), *self.gains())}).joint({s()}{self.joint()}{s()}){s()}"
                    + self.maybe(f".flags({s()}s{s()})")
                    + f"{s()};"
                ),
                lambda: (
                    f"COMFB2{S()}{v()}{S()}{v()}{S()}"
                    + self.pick(f"j{S()}{self.joint()}", f"p{S()}{self.part()}", f"c{S()}{self.word()}")
                ),
                lambda: f"VF{S()}({three}).on({s()}{self.part()}{s()}).by({s()}{self.joint()}{s()}){s()};",
                lambda: f"VFFB{S()}{self.part()}{s()}({self.inside(v(), v())}){by}{over}{s()};",
                lambda: f"VFSFB{S()}{self.part()}{s()}({s()}{v()}{s()}){by}.speed{s()}({s()}{v()}{s()}){s()};",
                lambda: (
                    f"IK{S()}{self.part()}.target{self.pick('local', 'global')}{s()}({three}){base}"
                    + self.maybe(f".tolerance{s()}({s()}{v()}{s()})")
                    + f"{s()};"
                ),
                lambda: f"GC{S()}{self.part()}{by}{s()};",
                lambda: f"EF{S()}{self.part()}{s()}({self.inside('.0', '-100.0', '2.50')}){s()};",
                lambda: (
                    f"MATCH{S()}{self.joint()}.to{s()}({s()}{self.joint()}{s()}"
                    + self.maybe(f",{self.inside(v(), v())}")
                    + f"){s()}"
                    + self.maybe(f".time{s()}({s()}{v()}{s()})")
                    + ";"
                ),
                lambda: f"HOLD{S()}{self.joint()};",
                self.comment,
            ]
        )()

    def condition(self) -> str:
        S, v = self.S, self.value
        return self.pick(
            f"time{S()}{v()}", f"contact{S()}{self.part()}", f"nocontact{S()}{self.part()}", "complete",
            f"stable{S()}{v()}", f"iterations{S()}{v()}", f"press{S()}K", f"release{S()}7",
            f"fallen{S()}{self.pick('<', '>', 'x')}{S()}{v()}", f"anglerange{S()}{v()}{S()}{v()}",
            f"pass{S()}{self.word()}{S()}{v()}", f"random{S()}{v()}",
        )  # fmt: skip

    def toggle(self) -> str:
        s = self.s
        word = self.pick("toggleVisible", "toggleCollidable")
        return self.pick(f"{word}{s()}({s()}{self.word()}{s()}){s()};", self.comment())

    def several(self, make: str, low: int = 1) -> str:
        return self.S().join(getattr(self, make)() for _ in range(self.random.randrange(low, 5)))

    def command(self) -> str:
        s, S = self.s, self.S
        arguments = self.pick(
            f"{s()}void{s()}", self.inside(*(self.value() for _ in range(self.random.randrange(1, 4))))
        )
        start = self.maybe(f".atPhase{s()}({s()}{self.pick('0', '2')}{s()})")
        return self.pick(
            f"TRANSITION{S()}to({s()}{self.pick('-1', '0', '3')}{s()}).after({s()}{self.condition()}{s()}){s()};",
            f"ACTIONS{S()}{self.several('action')}{S()}ENDACTIONS",
            f"ENVACTIONS{s()}{self.several('toggle')}{S()}ENDACTIONS",
            f">{S()}{self.pick('a.t', '../b-1.s', 'c')}{s()}({arguments}){s()}{start}{s()};",
            f"SAVE{S()}my file.sav ;", f"LOAD{S()}../a#1.sav;", self.comment(),
        )  # fmt: skip

    def phase(self) -> str:
        return f"PHASE{self.S()}{self.pick('0', '12', '-1')}{self.S()}{self.several('command')}{self.S()}ENDPHASE"

    def script(self) -> str:
        s, S = self.s, self.S
        parameters = self.pick(f"{s()}void{s()}", ",".join(f"{s()}{w}{s()}" for w in ("dt", "9a", "x")))
        head = self.maybe("any words, SET in prose\n") + self.maybe(f"SCRIPTS{S()}a.t{s()},{s()}../b-1.s{s()};{S()}")
        head += self.maybe(f"SET{S()}TORQUELIMIT{s()}={s()}{self.pick('370', '-.5', '12.5')}{self.maybe(';')}{S()}")
        phases = S().join(self.pick(self.phase(), self.phase(), self.comment() + self.phase()) for _ in range(3))
        begin = f"BEGINSCRIPT{S()}{self.pick('a', 'w-1.x')}{s()}({parameters}){S()}"
        return f"{head}{begin}{phases}{S()}ENDSCRIPT{self.maybe(' more')}"


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_a_text_by_the_rules_is_read(seed: int) -> None:
    for k in range(seed, seed + 50):
        text = Writer(k).script()
        script = parse_script(text)
        assert isinstance(script, Script)
        assert len(script.phases) == text.count("ENDPHASE")
