"""The walker's parameters from `library/walker.toml`: default, range, meaning, and how each scales with the body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from poise.tables import load_table
from poise.world.controller import strip_unit

SOURCE: Final = Path(__file__).resolve().parents[2] / "library" / "walker.toml"


@dataclass(frozen=True)
class Field:
    """One scalar of the spec."""

    name: str
    default: float
    low: float
    high: float
    help: str
    #: What it is proportional to: `mass`, `length` (of the legs), `hips` (their width) or nothing.
    scale: str = ""

    @property
    def place(self) -> str:
        """Its field in the record `layout.PARAMS`."""
        return strip_unit(self.name)


@dataclass(frozen=True)
class Fields:
    """All fields by name. Commands and balance are parameters; a file may set the details too."""

    commands: Mapping[str, Field]
    balance: Mapping[str, Field]
    details: Mapping[str, Field]
    #: kp and kd by joint.
    gains: Mapping[str, tuple[float, float]]
    #: Shares of back, chest and neck in the lean, and in looking into a turn.
    shares: Mapping[str, tuple[float, ...]]
    #: Names in files written by earlier versions -> current names.
    earlier_names: Mapping[str, str]

    @property
    def parameters(self) -> Mapping[str, Field]:
        return {**self.commands, **self.balance}

    @property
    def all(self) -> Mapping[str, Field]:
        return {**self.commands, **self.balance, **self.details}


@cache
def load_fields() -> Fields:
    """The fields of every walker."""
    table = load_table(SOURCE).data
    return Fields(
        commands=_read_group(table["commands"]),
        balance=_read_group(table["balance"]),
        details=_read_group(table["details"]),
        gains={joint: (kp, kd) for joint, (kp, kd) in table["gains"].items()},
        shares={name: tuple(values) for name, values in table["shares"].items()},
        earlier_names=table["earlier_names"],
    )


def _read_group(table: Mapping[str, Mapping[str, Any]]) -> dict[str, Field]:
    return {
        name: Field(name, row["default"], row["range"][0], row["range"][1], row["help"], row.get("scale", ""))
        for name, row in table.items()
    }
