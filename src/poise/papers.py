"""The five sources by the keys under which the code cites them."""

from __future__ import annotations

from typing import Final

PAPERS: Final = {
    "Coros10": "Stelian Coros: Real-Time Planning and Control for Simulated Bipedal Locomotion. PhD thesis, University of British Columbia, 2010.",
    "Lee10": "Yoonsang Lee, Sungeun Kim, Jehee Lee: Data-Driven Biped Control. SIGGRAPH 2010.",
    "Laszlo96": "Joseph Laszlo: Controlling Bipedal Locomotion for Computer Animation. MASc thesis, University of Toronto, 1996.",
    "Ha15": "Sehoon Ha: Developing Agile Motor Skills on Virtual and Real Humanoids. PhD thesis, Georgia Institute of Technology, 2015.",
    "Firmin15": "Michael Firmin, Michiel van de Panne: Controller Design for Multiskilled Bipedal Characters. 2015.",
}
