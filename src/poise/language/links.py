"""The links of the language's own body: which joint a VPD of the old form `.parent(link)` drives."""

from __future__ import annotations

from typing import Final

from poise.language.names import ALIASES

_SIDED: Final = {
    "Arm": ("uTorso", "Shoulder"),
    "Forearm": ("Arm", "Elbow"),
    "Hand": ("Forearm", "Wrist"),
    "Thigh": ("pelvis", "Hip"),
    "Shin": ("Thigh", "Knee"),
    "Foot": ("Shin", "Ankle"),
}


def _side(name: str, side: str) -> str:
    return side + name if name in _SIDED else name


#: part -> the part that it hangs on, and the joint between them.
ABOVE: Final[dict[str, tuple[str, str]]] = {
    "lTorso": ("pelvis", "waist"),
    "uTorso": ("lTorso", "lTorso2uTorso"),
    "neck": ("uTorso", "uTorso2neck"),
    "head": ("neck", "neck2head"),
    **{s + part: (_side(above, s), s + joint) for s in "lr" for part, (above, joint) in _SIDED.items()},
}


def find_driven_joint(part: str, link: str) -> str | None:
    """The joint that turns a part against a link: None if one of them is no part of that body, or if they are the same.

    It is the part's own joint if the part hangs on the link, directly or not. Otherwise it is the joint next to the
    link: the trunk is turned against a thigh by that thigh's hip.
    """
    up, down = _line(ALIASES.get(part, part)), _line(ALIASES.get(link, link))
    if not up or not down or up[0] == down[0]:
        return None
    if down[0] in up:
        return ABOVE[up[0]][1]
    return ABOVE[down[0]][1]


def _line(part: str) -> list[str]:
    """A part and everything that it hangs on; empty for other names."""
    line = [part] if part in ABOVE or part == "pelvis" else []
    while line and line[-1] in ABOVE:
        line.append(ABOVE[line[-1]][0])
    return line
