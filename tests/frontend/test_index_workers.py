"""Indexing in other processes, and what happens when one of them dies."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from contextc.frontend.index import crew
from contextc.frontend.index import worker as module
from contextc.frontend.index.base import Facts
from contextc.frontend.index.crew import index_by_crew, index_here, index_with_care, pieces
from contextc.frontend.index.segment import Key, Segment
from contextc.frontend.index.worker import Item, Worker, WorkerDied


def items(count: int) -> list[Item]:
    return [((f"{n:040x}", "python"), f"def f{n}(): pass\n".encode()) for n in range(count)]


def docs(packed: Sequence[bytes]) -> list[int]:
    return sorted(int(key[0], 16) for data in packed for key in Segment(data).docs)


def test_a_worker_makes_the_segment_this_process_would_make() -> None:
    worker = Worker()
    worker.greet()
    worker.work(items(5)[:3])
    worker.work(items(5)[3:])
    assert worker.finish() == index_here(items(5))


def test_a_worker_without_work_makes_an_empty_segment() -> None:
    worker = Worker()
    worker.greet()
    assert Segment(worker.finish()).docs == []


@pytest.mark.parametrize("executable", ["", "/nonexistent/python", os.devnull, "/bin/true"])
def test_without_an_interpreter_there_is_no_worker(monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr("sys.executable", executable)
    with pytest.raises(WorkerDied):
        Worker().greet()
    made = index_by_crew(iter(items(9)), 2, lambda done: None)
    assert (made.packed, sorted(made.lost)) == ([], [key for key, _ in items(9)])
    assert docs(index_with_care(items(9))) == list(range(9))


def test_a_module_in_the_working_directory_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("msgspec", "json", "tree_sitter", "contextc"):
        (tmp_path / f"{name}.py").write_text("import os; open('ran', 'w'); os._exit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = Worker()
    worker.greet()
    worker.work(items(1))
    assert docs([worker.finish()]) == [0]
    assert not (tmp_path / "ran").exists()


def test_a_worker_that_is_killed_is_noticed() -> None:
    worker = Worker()
    worker.greet()
    os.kill(worker._process.pid, signal.SIGKILL)
    with pytest.raises(WorkerDied):
        worker.work(items(3))
    worker.close()
    worker.close()


def test_a_crew_does_all_the_work_and_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "PIECE_FILES", 4)
    told: list[int] = []
    made = index_by_crew(iter(items(50)), 2, told.append)
    assert (docs(made.packed), made.lost) == (list(range(50)), [])
    assert told == sorted(told) and told[-1] == 50


def test_a_crew_is_gone_when_its_work_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "PIECE_FILES", 1)
    workers: list[Worker] = []
    original = Worker.greet

    def remember(self: Worker) -> None:
        workers.append(self)
        original(self)

    monkeypatch.setattr(Worker, "greet", remember)

    def source() -> Iterator[Item]:
        yield from items(6)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        index_by_crew(source(), 2, lambda done: None)
    assert workers and all(worker._process.poll() is not None for worker in workers)


def facts_by_number(packed: Sequence[bytes]) -> dict[int, Facts]:
    return {
        int(key[0], 16): segment.facts(number)
        for segment in map(Segment, packed)
        for number, key in enumerate(segment.docs)
    }


class _Fragile(Worker):
    """A worker that is killed, really, just before it would answer for a certain file."""

    killer = items(30)[13][0]
    deaths: Counter[str]
    mortal = 99

    def _hear(self, culprit: Key | None) -> bytes:
        if culprit == self.killer and self.deaths["all"] < self.mortal:
            self.deaths["all"] += 1
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise WorkerDied(culprit)
        return super()._hear(culprit)


@pytest.mark.parametrize("mortal", [1, 99])
def test_a_file_that_ends_its_worker_costs_no_other_file(monkeypatch: pytest.MonkeyPatch, mortal: int) -> None:
    monkeypatch.setattr(_Fragile, "deaths", Counter(), raising=False)
    monkeypatch.setattr(_Fragile, "mortal", mortal)
    monkeypatch.setattr(crew, "PIECE_FILES", 5)
    monkeypatch.setattr(crew, "Worker", _Fragile)
    made = index_by_crew(iter(items(30)), 2, lambda done: None)
    assert _Fragile.killer in made.lost
    again = index_with_care([item for item in items(30) if item[0] in made.lost])
    assert docs([*made.packed, *again]) == list(range(30))
    without = {number: facts for number, facts in facts_by_number(again).items() if facts.parsed == "none"}
    if mortal == 1:
        assert without == {}, "once may have been an accident"
    else:
        assert list(without) == [13]
        assert without[13].remark == "its structure was not read: the grammar crashed or did not come to an end"
        assert without[13].length > 0


def test_a_file_that_a_grammar_does_not_come_to_an_end_with_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 1.0)
    endless = (("e" * 40, "rust"), b"-> return " * 20_000)  # minutes, were it not stopped
    made = index_by_crew(iter([*items(3), endless]), 1, lambda done: None)
    assert endless[0] in made.lost
    again = index_with_care([*items(3), endless])
    facts = facts_by_number(again)
    assert facts.keys() == {0, 1, 2, int("e" * 40, 16)}
    assert facts[int("e" * 40, 16)].parsed == "none" and facts[0].parsed == "grammar"


def test_pieces_are_bounded_by_bytes_and_by_files() -> None:
    given = [((f"{n:040x}", "text"), b"x" * size) for n, size in enumerate([10, 10, 10, 90, 10, 300, 1])]
    assert [[len(data) for _, data in piece] for piece in pieces(given, 100, 3)] == [[10, 10, 10], [90, 10], [300], [1]]
    assert list(pieces([], 1, 1)) == []
