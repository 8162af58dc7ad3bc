"""`poise script`: controller scripts checked, formatted and drawn."""

from pathlib import Path

GOOD = "BEGINSCRIPT a(void)\nPHASE 0\n    ACTIONS\n        POSE lHip(0);\n    ENDACTIONS\nENDPHASE\nENDSCRIPT\n"


def save(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_check_counts_what_it_finds_and_names_the_place(poise, tmp_path: Path) -> None:
    good, bad = save(tmp_path, "good.ctl", GOOD), save(tmp_path, "bad.ctl", GOOD.replace("lHip", "lHop"))
    result = poise("script", "check", good, bad)
    assert result.exit_code == 2
    assert result.stdout == (
        f"{good}: no errors, no warnings\n{bad}: 1 error, no warnings\n2 files: 1 with errors, no warnings\n"
    )
    assert result.stderr.startswith(f"error: {bad}:4:14: no joint named 'lHop'. Known here: neck2head, ")
    assert result.stderr.endswith("Did you mean 'lHip'?\n            POSE lHop(0);\n                 ^\n")


def test_check_goes_on_after_a_file_that_cannot_be_read(poise, tmp_path: Path) -> None:
    good, bad = save(tmp_path, "good.ctl", GOOD), save(tmp_path, "bad.ctl", GOOD.replace("ENDPHASE", ""))
    result = poise("script", "check", bad, good, str(tmp_path / "none.ctl"))
    assert result.exit_code == 2
    assert result.stdout == f"{good}: no errors, no warnings\n3 files: 2 with errors, no warnings\n"
    assert "ENDPHASE is missing before ENDSCRIPT: the PHASE in line 2 is still open." in result.stderr
    assert "none.ctl: no such file." in result.stderr


def test_check_knows_other_characters(poise, tmp_path: Path) -> None:
    arms = save(tmp_path, "arms.ctl", GOOD.replace("lHip", "lShoulder"))
    assert poise("script", "check", arms).exit_code == 0
    result = poise("script", "check", arms, "--character", "biped7")
    assert result.exit_code == 2
    assert "no joint named 'lShoulder'. Known here: lHip, rHip, lKnee, rKnee, lAnkle, rAnkle" in result.stderr


def test_warnings_are_no_failure(poise, tmp_path: Path) -> None:
    odd = save(tmp_path, "odd.ctl", GOOD.replace("(0)", "(30)"))
    result = poise("script", "check", odd)
    assert (result.exit_code, result.stdout) == (0, f"{odd}: no errors, 1 warning\n")
    assert result.stderr.startswith(f"warning: {odd}:4:19: angles are in radians, and 30 exceeds a full turn.")


def test_long_lists_of_warnings_are_cut_unless_all_are_wanted(poise, tmp_path: Path) -> None:
    poses = "".join(f"LIPOSE lHip({k}0).time(1);" for k in range(1, 9))
    odd = save(tmp_path, "odd.ctl", GOOD.replace("POSE lHip(0);", poses))
    short = poise("script", "check", odd)
    assert (short.exit_code, short.stdout) == (0, f"{odd}: no errors, 15 warnings (6 of them shown)\n")
    heads = [
        line.split(": ", 2)[-1] for line in short.stderr.splitlines() if line.startswith(("warning", " " * 4 + "and"))
    ]
    assert heads == [
        *["lHip is set again in line 4: the last value counts."] * 3,
        "    and 4 more like this in line 4",
        "angles are in radians, and 10 exceeds a full turn. Did you mean '0.175'?",
        "angles are in radians, and 20 exceeds a full turn. Did you mean '0.349'?",
        "angles are in radians, and 30 exceeds a full turn. Did you mean '0.524'?",
        "    and 5 more like this in line 4",
    ]
    assert short.stderr.endswith("note: --all shows the others.\n")
    whole = poise("script", "check", odd, "--all")
    assert whole.stdout == f"{odd}: no errors, 15 warnings\n"
    assert whole.stderr.count("warning: ") == 15


def test_format_writes_only_what_changes(poise, tmp_path: Path) -> None:
    good, messy = save(tmp_path, "good.ctl", GOOD), save(tmp_path, "messy.ctl", GOOD.replace("    ", " "))
    looked = poise("script", "format", good, messy, "--check")
    assert (looked.exit_code, looked.stdout) == (1, f"{good}: unchanged\n{messy}: would be reformatted\n")
    assert Path(messy).read_text() != GOOD
    done = poise("script", "format", good, messy)
    assert (done.exit_code, done.stdout) == (0, f"{good}: unchanged\n{messy}: reformatted\n")
    assert Path(messy).read_text() == GOOD
    assert poise("script", "format", good, messy, "--check").exit_code == 0


def test_format_leaves_a_broken_script_alone(poise, tmp_path: Path) -> None:
    text = GOOD.replace(";", "")
    broken = save(tmp_path, "broken.ctl", text)
    result = poise("script", "format", broken)
    assert result.exit_code == 2
    assert f"{broken}:4:20: ';' is missing after this POSE." in result.stderr
    assert Path(broken).read_text() == text


def test_graph_draws_phases_and_calls(poise, tmp_path: Path) -> None:
    save(tmp_path, "good.ctl", GOOD)
    call = "SCRIPTS good.ctl;\nBEGINSCRIPT b(void)\nPHASE 0\n> good.ctl(void);\nTRANSITION to(1).after(complete);\n"
    call += "ENDPHASE\nPHASE 1\nTRANSITION to(0).after(random 1);\nENDPHASE\nENDSCRIPT\n"
    picture = tmp_path / "graph.png"
    result = poise("script", "graph", save(tmp_path, "call.ctl", call), "--png", str(picture))
    assert (result.exit_code, result.stdout) == (0, f"wrote {picture}\n")
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_a_script_is_run_like_any_controller(poise, tmp_path: Path) -> None:
    arm = "SET height = -1\n" + GOOD.replace("a(void)", "a(height)").replace("lHip(0)", "lShoulder(height)")
    result = poise("run", save(tmp_path, "arm.ctl", arm), "--seconds", "0.2", "--set", "height=-2", "--json", "-")
    assert result.exit_code == 0
    assert '"height": -2' in result.stdout
    assert '"character": "planar17"' in result.stdout


def test_a_broken_script_is_not_run(poise, tmp_path: Path) -> None:
    broken = save(tmp_path, "broken.t", GOOD.replace("lHip", "lHop"))
    result = poise("run", broken, "--seconds", "0.2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {broken}:4:14: no joint named 'lHop'.")


def test_a_script_that_is_not_there(poise) -> None:
    result = poise("run", "none.ctl")
    assert (result.exit_code, result.stderr) == (2, "error: controller none.ctl: there is no such file.\n")
