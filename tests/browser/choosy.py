"""A controller that lets everything hang, and has a choice to make."""

import numpy as np

from poise.characters.model import Character
from poise.world.controller import Controller, Parameter
from poise.world.linking import limp

CHARACTER = "biped7"


def build(character: Character) -> Controller:
    style = Parameter("style", 0, 0, 2, "how it goes", choices=("walk", "march", "sneak"))
    return Controller("choosy", limp, np.array([1.0]), np.zeros(1), (style,), description="It hangs.")
