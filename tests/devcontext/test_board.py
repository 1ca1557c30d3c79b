"""What the board keeps of several offers of one thing, and of several ways in which it was nearly reached."""

from __future__ import annotations

import pytest
from tests.devcontext.answers import layer_of
from tests.devcontext.builder import small_layer

from contextc.core.devcontext.candidates import Board
from contextc.core.devcontext.graph import build_graph
from contextc.core.records.devcontext import Discovery

URI = "majordomus://rule/alpha@1"


@pytest.fixture
def board() -> Board:
    layer = layer_of(small_layer())
    return Board(build_graph(layer), layer.sizes)


def found(depth: int, weight: float, reason: str = "why", edge: str = "depends_on") -> Discovery:
    return Discovery(
        selector="relation",
        reason=reason,
        via=f"{depth} {weight}",
        edge=edge,
        depth=depth,
        confidence=1.0,
        weight=weight,
    )


def test_relevance_is_the_greatest_depth_the_least_and_tier_the_strongest(board: Board) -> None:
    board.offer(URI, "governance", 0.5, 2, found(2, 0.5))
    board.offer(URI, "task", 0.4, 3, found(3, 0.4, "other"))
    board.offer(URI, "history", 0.7, 4, found(4, 0.7, "third"))
    one = board.found[URI]
    assert (one.tier, one.relevance, one.depth) == ("task", 0.7, 2)
    assert len(one.discoveries) == 3


@pytest.mark.parametrize(
    "second, kept",
    [
        (found(1, 0.1), "1 0.1"),
        (found(2, 0.6), "2 0.6"),
        (found(2, 0.5), "2 0.5"),
        (found(2, 0.4), "2 0.5"),
        (found(3, 0.9), "2 0.5"),
    ],
)
def test_one_way_twice_is_kept_where_it_is_shorter_or_heavier(board: Board, second: Discovery, kept: str) -> None:
    board.offer(URI, "governance", 0.5, 2, found(2, 0.5))
    board.offer(URI, "governance", 0.5, second.depth, second)
    assert [one.via for one in board.found[URI].discoveries] == [kept]


def test_another_edge_is_another_way_even_for_the_same_reason(board: Board) -> None:
    board.offer(URI, "governance", 0.5, 2, found(2, 0.5))
    board.offer(URI, "governance", 0.5, 2, found(2, 0.5, edge="exercises"))
    assert len(board.found[URI].discoveries) == 2


def test_what_nobody_holds_is_ignored(board: Board) -> None:
    board.offer("nothing", "task", 1.0, 0, found(0, 1.0))
    board.miss("nothing", "depth", 0.5, "far")
    assert not board.found
    assert not board.missed()


def test_of_several_near_misses_the_smallest_obstacle_is_told(board: Board) -> None:
    board.miss(URI, "relevance", 0.1, "first")
    board.miss(URI, "relevance", 0.2, "second")
    board.miss(URI, "relevance", 0.15, "third")
    assert [row.detail for row in board.missed()] == ["second"]
    board.miss(URI, "depth", 0.05, "far")
    board.miss(URI, "relevance", 0.24, "fourth")
    (row,) = board.missed()
    assert (row.reason, row.relevance, row.detail, row.tier) == ("depth", 0.05, "far", "governance")


def test_what_was_reached_after_all_is_not_missed(board: Board) -> None:
    board.miss(URI, "depth", 0.5, "far")
    board.offer(URI, "governance", 0.5, 1, found(1, 0.5))
    assert not board.missed()
