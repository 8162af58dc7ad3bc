"""The words of the language and the form of each statement, for messages and for the checker."""

from __future__ import annotations

from typing import Final

#: statement -> its form; `>` is a call.
FORMS: Final = {
    "POSE": "POSE joint(angle, kp, kd), joint(angle), …;",
    "LIPOSE": "LIPOSE joint(angle, kp, kd).time(seconds);",
    "POSEFB": "POSEFB joint(cd, cv).on(joint X), joint(cd, cv).on(part X);",
    "VPD": "VPD part(angle, kp, kd).joint(joint).flags(s);",
    "COMFB2": "COMFB2 cd cv j joint",
    "VF": "VF (fx, fy, fz).on(part).by(joint);",
    "VFFB": "VFFB part(cd, cv).by(joint).over(part or cop);",
    "VFSFB": "VFSFB part(cv).by(joint).speed(speed);",
    "IK": "IK part.targetlocal(x, y, z).base(joint).tolerance(metres);",
    "GC": "GC part.by(joint);",
    "EF": "EF part(fx, fy, fz);",
    "MATCH": "MATCH joint.to(joint, kp, kd).time(seconds);",
    "HOLD": "HOLD joint;",
    "SAVE": "SAVE file;",
    "LOAD": "LOAD file;",
    "toggleVisible": "toggleVisible(entity);",
    "toggleCollidable": "toggleCollidable(entity);",
    "TRANSITION": "TRANSITION to(phase).after(condition);",
    ">": "> file(value, value);",
    "BEGINSCRIPT": "BEGINSCRIPT name(parameter, parameter)",
    "PHASE": "PHASE number … ENDPHASE",
}
ACTION_WORDS: Final = tuple(FORMS)[:15]
TOGGLE_WORDS: Final = ("toggleVisible", "toggleCollidable")
COMMAND_WORDS: Final = ("ACTIONS", "ENVACTIONS", "TRANSITION", "SAVE", "LOAD", ">", "ENDPHASE")
BLOCK_WORDS: Final = ("BEGINSCRIPT", "ENDSCRIPT", "PHASE", "ENDPHASE", "ACTIONS", "ENVACTIONS", "ENDACTIONS")
KEYWORDS: Final = (*BLOCK_WORDS, *(w for w in FORMS if w not in BLOCK_WORDS))

#: condition -> its form.
CONDITIONS: Final = {
    "time": "time seconds",
    "contact": "contact part",
    "nocontact": "nocontact part",
    "complete": "complete",
    "stable": "stable tolerance",
    "iterations": "iterations count",
    "press": "press key",
    "release": "release key",
    "fallen": "fallen > angle",
    "anglerange": "anglerange angle angle",
    "pass": "pass entity distance",
    "random": "random probability",
}

#: terminal of the grammar -> its description in messages.
TERMINALS: Final = {
    "NUMBER": "a number",
    "VARIABLE": "a parameter",
    "LINTERP": "linterp(…)",
    "WORD": "a name",
    "NAMED": "a name",
    "LABEL": "a name",
    "FILE": "the name of a script",
    "SIGN": "<, > or x",
    "END": "';'",
    "CALL": "'>'",
    "_OPEN": "'('",
    "VECTOR": "'('",
    "_CLOSE": "')'",
    "_COMMA": "','",
    "_EQUALS": "'='",
    "_TO": "to(",
    "_AFTER": ".after(",
    "_AT_PHASE": ".atPhase(",
    "_TIME_IS": ".time(",
    "_JOINT_IS": ".joint(",
    "_FLAGS": ".flags(",
    "_ON": ".on(",
    "_BY": ".by(",
    "_OVER": ".over(",
    "_SIDE": ".side(",
    "_SPEED": ".speed(",
    "_BASE": ".base(",
    "_TOLERANCE": ".tolerance(",
    "_TO_JOINT": ".to(",
    "TARGET_LOCAL": ".targetlocal(",
    "TARGET_GLOBAL": ".targetglobal(",
    "_REFERENCE": "joint",
    "_PART_REFERENCE": "part",
}
