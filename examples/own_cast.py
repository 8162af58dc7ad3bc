"""One character with two controllers. Run it with `python examples/own_cast.py`."""

from pathlib import Path

import poise

body = poise.load_character("biped7")
walk = poise.load_controller("simbicon/planar-walk", body)
squat = poise.load_controller(str(Path(__file__).with_name("own_controller.py")), body)

world = poise.World([body], [poise.Cast({"squat": squat, "walk": walk})])
world.run_until(4.0)
world.switch("walk")
world.run_until(14.0)
print(f"{world.active()}: {world.percepts[0].com_w[0]:.1f} m in 10 s, {'fell' if world.is_down() else 'on its feet'}")
