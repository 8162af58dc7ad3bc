"""A custom pilot on the walker. Run it with `python examples/own_pilot.py`."""

import poise


class Cadence:
    """Increase the speed with every tenth step, up to a limit."""

    name = "cadence"
    events = ("step",)
    period_s = 0.0

    def __init__(self):
        self.steps = 0

    def decide(self, world, causes):
        self.steps += "step" in causes
        world.set_parameter("speed", min(0.3 + 0.1 * (self.steps // 10), 1.0))

    def state(self):
        return {"steps": self.steps}

    def restore(self, state):
        self.steps = int(state["steps"])


if __name__ == "__main__":
    result = poise.run("walker/walk", seconds=20, pilots=[Cadence()])
    print(f"{result.metrics.mean_speed_mps:.2f} m/s over the second half")
