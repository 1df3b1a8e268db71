"""All kinds of mends with their price, likely ones first."""

from __future__ import annotations

from typing import Callable, Iterator, Tuple

from ...site import Change, Site
from . import brackets, foreign, heads, indents, marks, order, quotes
from .mend import Kind, mended_by

KINDS: Tuple[Tuple[str, float, Kind], ...] = (
    ("merge-unfinished", 0.0, order.conflict),
    ("future-import-late", 0.0, order.future),
    ("colon-missing", 0.3, heads.colon),
    ("bracket-unclosed", 0.4, brackets.unclosed),
    ("bracket-stray", 0.4, brackets.stray),
    ("quote-unclosed", 0.4, quotes.unclosed),
    ("quote-inside", 0.6, quotes.inner),
    ("indentation", 0.5, indents.line_depth),
    ("indentation-mixed", 0.3, indents.tabs),
    ("outside-its-block", 0.2, indents.outside),
    ("body-missing", 0.4, heads.body),
    ("comma-missing", 0.6, marks.comma),
    ("assignment-for-comparison", 0.5, marks.equals),
    ("spelled-otherwise", 0.4, marks.spelled),
    ("foreign-word", 0.3, foreign.words),
    ("keyword-misspelt", 0.4, foreign.misspelt),
    ("await-outside-async", 0.2, order.coroutine),
    ("declared-late", 0.3, order.declared),
    ("parameters-order", 0.5, order.parameters),
    ("character-wrong", 0.4, quotes.escapes),
    ("field-unclosed", 0.5, quotes.fields),
    ("colon-inside-missing", 0.8, heads.pair_colon),
    ("operator-missing", 1.0, marks.operator),
    ("keyword-as-name", 1.2, foreign.reserved),
)


def _kinds() -> Tuple[Kind, ...]:
    return tuple(kind for _name, _price, kind in KINDS)


def syntax_changes(kind: Kind) -> Callable[[Site], Iterator[Change]]:
    """An operator's function for one kind; what lies behind the first fault may be of any kind."""
    return mended_by(kind, _kinds)
