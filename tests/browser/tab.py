"""A tab of the studio in words of the studio."""

from __future__ import annotations

from typing import Any

#: Far longer than anything takes on a busy machine.
PATIENCE_MS = 60_000
#: The first tab waits for the compiler, of which several may be at work.
COMPILE_MS = 300_000
#: As few as show that there is a limit: every tab draws.
MAX_TABS = 2
VIEWPORT = {"width": 840, "height": 500}
#: Drawing in software is what takes the time here: every fourth pixel will do.
PIXEL_RATIO = 0.5
FPS = 10
#: Conditions are looked at this often, also if the page is drawn less often.
POLL_MS = 40


class Tab:
    """One page of its own, and what went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.url = self.opened_with = ""
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.on("request", lambda request: self.requests.append(request.url))

    @classmethod
    def open(cls, browser: Any, url: str) -> Tab:
        tab = cls(browser.new_page(viewport=VIEWPORT, device_scale_factor=PIXEL_RATIO))
        tab.url = url
        tab.open_anew()
        tab.opened_with = tab.text("about")
        return tab

    def begin_again(self) -> None:
        """Back to the walk with which the studio opened, at its beginning, with nothing changed.

        Not with the mouse: that waits for the page to be drawn several times before every click.
        """
        if self.text("about") != self.opened_with:
            self.open_anew()
        self.press("reset-all", "camera", text="1×")
        self.find("search").fill("")
        # At rest, so that time stays at its beginning until someone has looked, however seldom the page is drawn.
        if not self.text("state").startswith("paused") and not self.text("state").endswith("ago"):
            self.press("run")
        self.wait("text('state').startsWith('paused') || text('state').endsWith('ago')")
        self.press("restart")
        self.wait("text('state') === 'paused' && text('ago') === 'now' && number('time') === 0")
        self.press("run")
        self.wait("!text('state').startsWith('paused')")
        # Keys belong to the page once no button holds on to them.
        self.page.evaluate("document.activeElement.blur()")
        self.requests.clear()

    def press(self, *test_ids: str, text: str = "") -> None:
        """Click buttons by their identifiers, and one in the bar below the view by its text, without the mouse."""
        self.page.evaluate(
            """([ids, text]) => {
                for (const id of ids) document.querySelector(`[data-testid="${id}"]`).click();
                const buttons = [...document.querySelectorAll("[data-testid=time-speed] button")];
                buttons.find((button) => button.innerText === text)?.click();
            }""",
            [test_ids, text],
        )

    def open_anew(self) -> None:
        """A new world in this tab, by the address without a world."""
        self.page.goto(self.url)
        self.wait_until_walking()
        # Drawing in software is what takes the time.
        self.page.evaluate(f"Object.assign(document.querySelector('.poise-view').theatre.quality, {{ maxFps: {FPS} }})")
        self.wait("text('about') !== ''")

    def take_errors(self) -> list[str]:
        """What went wrong since the last call."""
        errors, self.errors = self.errors, []
        return errors

    def close(self) -> None:
        self.page.close()

    def wait_until_walking(self) -> None:
        self.wait("theatre?.received > 3", timeout=COMPILE_MS)

    def wait(self, condition: str, timeout: float = PATIENCE_MS) -> None:
        """Waits for something to be true in JavaScript; `text(id)` is what an element says, `theatre` the view."""
        self.page.wait_for_function(
            f"""() => {{
                const find = (id) => document.querySelector(`[data-testid="${{id}}"]`);
                const text = (id) => find(id)?.innerText ?? "";
                const number = (id) => parseFloat(text(id).replace("−", "-"));
                const theatre = document.querySelector(".poise-view")?.theatre;
                return {condition};
            }}""",
            timeout=timeout,
            polling=POLL_MS,
        )

    def wait_until_drawn(self, time_s: float) -> None:
        """Waits until the body is seen as it is at a time: figures on the page are there sooner."""
        self.wait(f"number('time') === {time_s} && Math.abs(theatre?.element.dataset.time - {time_s}) < 1e-6")

    def find(self, test_id: str) -> Any:
        return self.page.locator(f'[data-testid="{test_id}"]')

    def click(self, test_id: str) -> None:
        self.find(test_id).click()

    def text(self, test_id: str) -> str:
        return str(self.find(test_id).inner_text())

    def number(self, test_id: str) -> float:
        return float(self.text(test_id).replace("−", "-").split()[0])

    def theatre(self, expression: str) -> Any:
        return self.page.evaluate(f"document.querySelector('.poise-view').theatre.{expression}")

    def pause(self) -> None:
        self.click("run")
        self.wait("text('state').startsWith('paused')")

    def run(self) -> None:
        self.click("run")
        self.wait("!text('state').startsWith('paused')")

    def set_speed(self, label: str) -> None:
        self.find("time-speed").get_by_text(label, exact=True).click()

    def choose(self, test_id: str, option: str) -> None:
        """Chooses from a list; once more where the list was still unfolding and the click went by."""
        for _ in range(3):
            self.click(test_id)
            self.page.locator(".q-menu .q-item").get_by_text(option, exact=True).click()
            for _ in range(25):
                shown = self.find(test_id)
                boxes = shown.locator("input").all()
                if option in shown.inner_text() or option in [box.input_value() for box in boxes]:
                    return
                self.page.wait_for_timeout(200)
            self.page.keyboard.press("Escape")

    def value(self, knob: str) -> float:
        """The number beside a slider."""
        return float(self.find(f"knob-{knob}").locator("input[type=number]").input_value())

    def wait_for_value(self, knob: str, condition: str) -> None:
        """Waits for a condition on `v`, the number beside a slider."""
        self.page.wait_for_function(
            f"""() => {{
                const v = parseFloat(document.querySelector('[data-testid="knob-{knob}"] input[type=number]').value);
                return {condition};
            }}""",
            polling=POLL_MS,
        )

    def drag(self, start: Any, end: Any) -> None:
        """Drags from one point of the window to another, in the time that it takes."""
        mouse = self.page.mouse
        mouse.move(start["x"], start["y"])
        mouse.down()
        mouse.move(end["x"], end["y"], steps=4)

    def unfold(self, test_id: str) -> None:
        """Opens a section of the panel."""
        if self.find(test_id).locator(".nicegui-expansion-content").first.is_hidden():
            self.find(test_id).locator(".q-item").first.click()
            self.find(test_id).locator(".nicegui-expansion-content").first.wait_for(state="visible")

    def knock_over(self, button: str, times: int) -> None:
        """Pushes with nearly full force several times at once."""
        self.click_in("force", 0.99)
        self.wait("number('force-value') > 900")
        self.pause()
        for _ in range(times):
            self.click(button)
        self.run()

    def click_in(self, test_id: str, along: float) -> None:
        """Clicks into an element, that far along its width."""
        element = self.find(test_id)
        box = element.bounding_box()
        element.click(position={"x": along * box["width"], "y": 0.5 * box["height"]})
