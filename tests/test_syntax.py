"""Parsing from several threads: the bench and the server judge several patches at once."""

from __future__ import annotations

import ast
import gc
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot import syntax

DEEP = "value = " + "(" * 60 + "1" + ")" * 60 + " + f(a, [b, {c: d}])\n"


@pytest.fixture
def interrupted():
    """Rubbish is collected often, and other threads get their turn meanwhile: also in the middle of a tree."""
    before = gc.get_threshold()
    gc.set_threshold(20)
    gc.callbacks.append(give_way)
    yield
    gc.callbacks.remove(give_way)
    gc.set_threshold(*before)


def give_way(phase: str, info: dict[str, int]) -> None:
    time.sleep(0)


def test_several_threads_may_parse_at_once(interrupted):
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(syntax.parse, [DEEP * 20] * 24))
    assert {len(tree.body) for tree in trees} == {20}


def test_expression_is_what_stands_in_a_text():
    assert ast.unparse(syntax.expression("a  +  b")) == "a + b"
    with pytest.raises(SyntaxError):
        syntax.expression("a = b")
