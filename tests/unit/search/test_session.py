"""Sessions: what was answered is not asked again, damage is noticed, and another job is refused."""

import threading

import pytest

from poise.errors import FileFormatError, InputError
from poise.locks import BusyError
from poise.search.session import Session, load_notes, open_session


def ask(session, count, asked):
    """Asks some questions; the answers are floats that no decimal text of few digits holds."""

    def compute(k):
        asked.append(k)
        return (k + 1) / 3.0

    return [session.recall(f"question {k}", lambda k=k: compute(k)) for k in range(count)]


def test_without_a_file_everything_is_computed():
    asked = []
    assert ask(Session(), 2, asked) == ask(Session(), 2, asked)
    assert asked == [0, 1, 0, 1]


def test_what_was_answered_is_not_asked_again(tmp_path):
    asked = []
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}) as session:
        first = ask(session, 2, asked)
    assert (tmp_path / "a.test.journal").exists()
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}, resume=True) as session:
        assert session.replays
        assert ask(session, 3, asked)[:2] == first
        assert not session.replays
        session.finish()
    assert asked == [0, 1, 2]
    assert list(tmp_path.iterdir()) == []


def test_a_session_in_a_folder_keeps_its_journal_there(tmp_path):
    with open_session(tmp_path / "out.v2", "test", {}, folder=True) as session:
        ask(session, 1, [])
        with pytest.raises(BusyError), open_session(tmp_path / "out.v2", "test", {}, folder=True):
            pass
    assert [p.name for p in (tmp_path / "out.v2").iterdir()] == ["test.journal"]


def test_a_job_that_fails_before_its_first_answer_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), open_session(tmp_path / "a.toml", "test", {}) as session:
        session.remember("start", "x")
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_what_a_job_began_with_is_remembered(tmp_path):
    for resume, now in ((False, "old"), (True, "new")):
        with open_session(tmp_path / "a.toml", "test", {}, resume=resume) as session:
            assert session.remember("start", now) == "old"
            ask(session, 1, [])


def test_a_search_that_is_there_is_not_begun_again(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {}) as session:
        ask(session, 1, [])
    with pytest.raises(InputError) as error, open_session(tmp_path / "a.toml", "test", {}):
        pass
    assert str(error.value) == (
        f"{tmp_path / 'a.test.journal'}: holds an unfinished search. Continue it with --resume, remove the file to "
        "start again, or give another file with --out."
    )


def test_another_job_does_not_resume(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}) as session:
        ask(session, 1, [])
    with pytest.raises(FileFormatError) as error, open_session(tmp_path / "a.toml", "test", {"seed": 2}, resume=True):
        pass
    assert str(error.value) == f"{tmp_path / 'a.test.journal'}: that search has seed = 1 and cannot continue with 2."


@pytest.mark.parametrize("position", [3, 40, 80, 120, 160, -1, -5, -30])
def test_damaged_entries_are_computed_again(tmp_path, position):
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}) as session:
        first = ask(session, 4, [])
    path = tmp_path / "a.test.journal"
    data = bytearray(path.read_bytes())
    data[position] ^= 0x55
    path.write_bytes(data)
    asked, said = [], []
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}, resume=True, say=said.append) as session:
        assert ask(session, 4, asked) == first
    assert len(asked) <= 1
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}, resume=True) as session:
        asked.clear()
        assert ask(session, 4, asked) == first
    assert asked == [], "what was computed again is kept"


def test_a_journal_that_is_cut_off_anywhere_goes_on(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}) as session:
        first = ask(session, 4, [])
    path = tmp_path / "a.test.journal"
    data = path.read_bytes()
    for end in range(data.index(b"\n") + 1, len(data), 7):
        path.write_bytes(data[:end])
        with open_session(tmp_path / "a.toml", "test", {"seed": 1}, resume=True) as session:
            assert ask(session, 4, []) == first


def test_what_is_no_journal_is_refused(tmp_path):
    path = tmp_path / "a.test.journal"
    for data in (b"", b"x\n", b"\xff" * 100):
        path.write_bytes(data)
        with pytest.raises(FileFormatError) as error, open_session(tmp_path / "a.toml", "test", {}, resume=True):
            pass
        assert str(error.value) == f"{path}: is not a journal of a search."


def test_answers_of_another_form_are_refused(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {}) as session:
        session.recall("question", lambda: "x")
    with (
        open_session(tmp_path / "a.toml", "test", {}, resume=True) as session,
        pytest.raises(FileFormatError, match="question: does not match this search"),
    ):
        session.recall("question", float, read=float)


def test_a_job_that_has_only_begun_can_be_resumed_where_it_asks_for_that(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}) as session:
        session.begin()
    assert load_notes(tmp_path / "a.test.journal") == {"seed": 1}
    with open_session(tmp_path / "a.toml", "test", {"seed": 1}, resume=True) as session:
        assert ask(session, 1, []) == [1 / 3]


def test_threads_may_ask_at_once(tmp_path):
    with open_session(tmp_path / "a.toml", "test", {}) as session:
        threads = [threading.Thread(target=session.recall, args=(f"{k}", lambda k=k: k)) for k in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with open_session(tmp_path / "a.toml", "test", {}, resume=True) as session:
        assert all(session.knows(str(k)) for k in range(32))
