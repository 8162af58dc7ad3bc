"""Texts of the page, and the code that it runs in the browser."""

from __future__ import annotations

HELP = """
**Drag the green arrow** at the character's feet: its direction sets the heading, its length the speed. With **Shift**
the heading stays fixed and the arrow commands sideways or backward walking.

| | |
|---|---|
| **↑ ↓** or **W S** | faster, slower (0.1 m/s) |
| **← →** or **A D** | turn left, turn right (15°) |
| **Space** | stop |
| **P** | pause and run |
| **.** | single step |
| **R** | restart |
| **B** | throw a ball |
| **Shift ← → ↑ ↓** | push left, right, forward, back |

Drag any part of the **body** to pull it. Drag the background to orbit the camera, use the right button to pan and the
wheel to zoom. Drag the slider below to look back; *run* continues from the moment in view.
"""
HELP_ELSEWHERE = """
**Space** or **P** runs and pauses, **.** steps, **R** restarts, **B** throws a ball, **←** and **→** push.
Drag any part of the body to pull it.
Drag the background to orbit the camera, use the right button to pan and the wheel to zoom.
Drag the slider below to look back; *run* continues from the moment in view with the current parameters.

A **script** can be edited while it runs. At every pause in typing it is simulated again: from the start or from the
phase in view while running, and up to the moment in view while paused. **Ctrl+S** saves it.
"""
#: A button or slider releases the keyboard focus after a click; a text field keeps it.
RELEASE_FOCUS = """
document.addEventListener("pointerup", () => setTimeout(() => {
  const focus = document.activeElement;
  const types = focus?.matches("input, textarea, .cm-content") && !focus.readOnly && focus.type !== "checkbox";
  if (focus && focus !== document.body && !types && !document.querySelector(".q-menu, .q-dialog")) focus.blur();
}, 250));
document.addEventListener("keydown", (event) => {
  const scrolls = [" ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key);
  if (scrolls && document.activeElement === document.body) event.preventDefault();
});
"""
#: Write the world's name into the address, and try often to reconnect: the server is on this machine.
KEEP_ADDRESS = """
const address = new URL(window.location);
address.searchParams.set("%(key)s", "%(name)s");
window.history.replaceState(window.history.state, "", address);
window.socket.io.reconnectionDelay(400);
window.socket.io.reconnectionDelayMax(1000);
"""
