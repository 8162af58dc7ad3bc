"""The cache key notices every edit that could change compiled code."""

from __future__ import annotations

from pathlib import Path

import pytest

from poise.kernels import jit


def test_the_key_changes_with_a_kernel_a_frozen_constant_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "poise"
    for module in (*jit.FROZEN_MODULES, "world/loop.py", "world/plain.py"):
        (package / module).parent.mkdir(parents=True, exist_ok=True)
        (package / module).write_text("@kernel\n" if "loop" in module else "1\n")
    monkeypatch.setattr(jit, "__file__", str(package / "kernels" / "jit.py"))
    keys = [jit.compute_cache_key()]
    for module in ("world/plain.py", "world/loop.py", "constants.py"):
        (package / module).write_text((package / module).read_text() + "2\n")
        keys.append(jit.compute_cache_key())
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_functions_typed_at_a_prompt_still_compile() -> None:
    scope: dict[str, object] = {"kernel": jit.kernel}
    exec("@kernel\ndef twice(x):\n    return 2 * x\n", scope)
    assert scope["twice"](21) == 42  # type: ignore[operator]
