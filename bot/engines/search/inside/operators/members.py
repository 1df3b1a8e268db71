"""Members that are missing: an entry of a table, one more of some literals, one more field in a row."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Optional, Tuple

from ..hints import Hints
from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from .calls import callee, calls_of
from .strings import quoted

_SAID = re.compile(r"'([^'\n]{1,30})'|\"([^\"\n]{1,30})\"")
MOST_SAID = 10
ROW = 2
"""From so many on, like things make a row."""


def said_texts(hints: Hints) -> List[str]:
    """Short texts that the red tests' messages show, missing keys first."""
    found: Dict[str, int] = {}
    for red in hints.reds:
        for match in _SAID.finditer(red.message):
            text = match.group(1) or match.group(2)
            found.setdefault(text, 0 if "KeyError" in red.exception + red.message else 1)
    return sorted(found, key=lambda text: found[text])[:MOST_SAID]


def entries(site: Site) -> Iterator[Change]:
    """A table lacks a key that the messages show: its value is made as those of its neighbours are."""
    for node in site.of(ast.Dict):
        assert isinstance(node, ast.Dict)
        keys = [key for key in node.keys if isinstance(key, ast.Constant)]
        if len(keys) < ROW or len(keys) != len(node.keys) or not all(isinstance(key.value, str) for key in keys):
            continue
        own = {key.value for key in keys}
        for place, said in enumerate(text for text in said_texts(site.hints) if text not in own):
            for rank, value in enumerate(_values(site, node, said)):
                new = "%s: %s" % (quoted(site, keys[-1], said), value)
                cost = 0.2 * place + 0.1 * rank
                yield Change(
                    behind(site, keys[-1], node.values[-1], new), cost, _what(site, node), "lacks `%s`" % said
                )


def behind(site: Site, last: ast.expr, end: ast.expr, text: str) -> Tuple[Tuple[int, int, str], ...]:
    """Edits that put one more member behind the last one: on a line of its own where each has one."""
    at = site.source.span(end)[1]
    line = site.source.offset(last.lineno, 0)
    indent = site.source.data[line : site.source.span(last)[0]].decode("utf-8")
    lead = ", " if indent.strip() else "," + site.source.newline + indent
    return ((at, at, lead + text),)


def _values(site: Site, node: ast.Dict, said: str) -> List[str]:
    """What stands for a new key: named after it, said by the message, not used yet, as most others have it."""
    last, key = node.values[-1], node.keys[-1]
    old = key.value if isinstance(key, ast.Constant) else None
    texts = [site.text(value) for value in node.values]
    found: Dict[str, None] = {}
    if isinstance(old, str) and old in texts[-1] and "\n" not in texts[-1]:
        like = texts[-1].replace(old, said)
        if not isinstance(last, ast.Name) or like in site.scope:
            found[like] = None
    names = [name for name in site.scope if said.lower() in name.lower() and name not in texts]
    if isinstance(last, ast.Name):
        found.update(dict.fromkeys(_unmentioned(site)))
    found.update(dict.fromkeys(names))
    if isinstance(last, ast.Name):
        found.update(dict.fromkeys(name for name in site.scope if name not in texts and _alike(name, texts[-1])))
    if isinstance(last, ast.Constant) and isinstance(last.value, str):
        found.update((quoted(site, last, text), None) for text in said_texts(site.hints))
    if isinstance(last, ast.Constant) and isinstance(last.value, int):
        numbers = [found for red in site.hints.reds for found in re.findall(r"-?\b\d+\b", red.message)]
        found.update(dict.fromkeys([str(last.value + 1), *numbers[:6]]))
    found.update(dict.fromkeys(text for text in texts if "\n" not in text and texts.count(text) > 1))
    found.update(dict.fromkeys(text for text in texts[-3:] if "\n" not in text))
    return list(found)[:14]


def _unmentioned(site: Site) -> List[str]:
    """Functions and classes of the file that nothing in it speaks of: who wrote them had a use for them."""
    read = {node.id for node in walked(site.source.tree) if isinstance(node, ast.Name)}
    own = [one.name for one in site.source.tree.body if isinstance(one, (*FunctionNode, ast.ClassDef))]
    return [name for name in own if name not in read]


def _alike(one: str, two: str) -> bool:
    """Whether two names begin, or end, with the same word."""
    first, second = one.lower().split("_"), two.lower().split("_")
    return one[:1].isupper() == two[:1].isupper() and (
        first[0] == second[0] or first[-1] == second[-1] or one[:1].isupper()
    )


def literals(site: Site) -> Iterator[Change]:
    """`x in ("a", "b")` and other rows of literals lack one; `x == "a"` allows one only, `startswith("a")` too."""
    for node in site.of(ast.Tuple, ast.List, ast.Set):
        elements: List[ast.expr] = getattr(node, "elts", [])
        if len(elements) >= ROW and all(_is_literal(one) for one in elements):
            for rank, new in enumerate(others(site, elements)):
                edits = behind(site, elements[-1], elements[-1], new)
                yield Change(edits, 0.12 * rank, _what(site, node), "lacks %s" % new)
    for compare in site.of(ast.Compare):
        assert isinstance(compare, ast.Compare)
        yield from _one_or_more(site, compare)
    for call in calls_of(site):
        if callee(call)[0] in ("startswith", "endswith") and len(call.args) == 1 and _is_literal(call.args[0]):
            for rank, new in enumerate(others(site, call.args)):
                text = "(%s, %s)" % (site.text(call.args[0]), new)
                yield Change(site.swap(call.args[0], text), 0.12 * rank, _what(site, call), "leaves out %s" % new)


def _one_or_more(site: Site, node: ast.Compare) -> Iterator[Change]:
    one, kind = node.comparators[0], node.ops[0]
    if len(node.ops) != 1 or (not _is_literal(one) and not isinstance(kind, (ast.In, ast.NotIn))):
        return
    if isinstance(kind, (ast.Eq, ast.NotEq)):
        word = "in" if isinstance(kind, ast.Eq) else "not in"
        for rank, new in enumerate(others(site, [one])):
            text = "%s %s (%s, %s)" % (site.text(node.left), word, site.text(one), new)
            yield Change(site.fit(node, text), 0.2 + 0.12 * rank, _what(site, node), "leaves out %s" % new)
    elif isinstance(one, ast.Constant) and isinstance(one.value, str):
        yield from _more_signs(site, one)


def _more_signs(site: Site, node: ast.Constant) -> Iterator[Change]:
    """One more of the signs that a text lists, as the messages show them."""
    signs = dict.fromkeys(sign for text in said_texts(site.hints) for sign in text if not sign.isalnum())
    own = str(node.value)
    for rank, sign in enumerate([sign for sign in signs if sign not in own][:8]):
        new = quoted(site, node, own + sign)
        yield Change(site.swap(node, new), 0.12 * rank, _what(site, node), "leaves out %r" % sign)


def signs(site: Site) -> Iterator[Change]:
    """A text that lists signs, such as `safe="/"` or `PUNCTUATION`, lacks one that a message shows."""
    for node in site.of(ast.Constant):
        value = getattr(node, "value", None)
        lists = isinstance(value, str) and 0 < len(value) <= 40 and not any(sign.isalnum() for sign in value)
        if (
            lists
            and isinstance(node, ast.Constant)
            and not isinstance(site.parent(node), (ast.Compare, ast.JoinedStr))
        ):
            if not isinstance(site.parent(node), (ast.Expr, ast.BinOp)):
                yield from _more_signs(site, node)


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) and not isinstance(node.value, bool)


def others(site: Site, elements: List[ast.expr]) -> List[str]:
    """Literals of the same kind that the messages show, or that stand near in the file."""
    last = elements[-1]
    kind = type(getattr(last, "value", None))
    own = {getattr(one, "value", None) for one in elements}
    found: Dict[str, None] = {}
    if kind is str:
        words = [
            word for text in said_texts(site.hints) for word in (text, *_ends(text, last)) if _is_alike(word, last)
        ]
        found.update((quoted(site, last, text), None) for text in words if text not in own)
    scope = site.function if site.function is not None else site.klass
    for node in walked(scope) if scope is not None else ():
        plain = isinstance(node, ast.Constant) and type(node.value) is kind and node.value not in own
        if plain and site.source.text(node)[:1] in "'\"0123456789" and len(site.text(node)) < 20:
            found[site.text(node)] = None
    return list(found)[:12]


def _is_alike(text: str, like: ast.expr) -> bool:
    """Whether both have letters or digits, or neither: `==` may stand beside `.*`, and `0a1` may not."""
    value = getattr(like, "value", "")
    return any(map(str.isalnum, text)) == any(map(str.isalnum, value))


def _ends(text: str, like: ast.expr) -> Iterator[str]:
    """Of a text as long as the literal, its beginning and its end: what `startswith` asks for, of whole words."""
    value = getattr(like, "value", "")
    for length in {len(value), len(value) + 1}:
        if isinstance(value, str) and 0 < length < len(text):
            if not (text[length - 1].isalnum() and text[length].isalnum()):
                yield text[:length]
            if not (text[-length].isalnum() and text[-length - 1].isalnum()):
                yield text[-length:]


def fields(site: Site) -> Iterator[Change]:
    """A row of like things lacks one: `(self.a, self.b)` for three attributes, `{"a": a}`, `x.a == y.a and …`."""
    words = _words(site)
    for node in site.of(ast.Tuple, ast.List, ast.Dict, ast.BoolOp, ast.Call):
        row = _row(node)
        if (len(row) < ROW and not isinstance(node, (ast.Dict, ast.Call))) or not row:
            continue
        texts = [site.source.data[site.source.span(a)[0] : site.source.span(b)[1]].decode("utf-8") for a, b in row]
        whole, (start, end) = "\n".join(texts), row[-1]
        for rank, (old, new) in enumerate(_missing(words, whole, texts[-1])):
            text = in_place_of(texts[-1], old, new)
            if isinstance(node, ast.BoolOp):
                at = site.source.span(end)[1]
                word = "and" if isinstance(node.op, ast.And) else "or"
                edits: Tuple[Tuple[int, int, str], ...] = ((at, at, " %s %s" % (word, text)),)
            else:
                edits = behind(site, start, end, text)
            if "\n" not in text:
                yield Change(edits, 0.12 * rank, _what(site, node), "leaves out `%s`" % short(text))


def _row(node: ast.AST) -> List[Tuple[ast.expr, ast.expr]]:
    """First and last node of each member."""
    if isinstance(node, ast.Dict):
        return [(key, value) for key, value in zip(node.keys, node.values) if key is not None]  # noqa: B905
    if isinstance(node, ast.Call):
        plain = [(one, one) for one in node.args if not isinstance(one, (ast.Starred, ast.GeneratorExp))]
        named = [(keyword, keyword.value) for keyword in node.keywords if keyword.arg is not None]
        return named if named else plain  # type: ignore[return-value]
    return [(one, one) for one in getattr(node, "elts", None) or getattr(node, "values", [])]


def _words(site: Site) -> List[str]:
    """What a row may be made of: arguments, fields of the class, variables."""
    names = arguments_of(site.function) if site.function is not None else []
    names += site.fields()
    return list(dict.fromkeys(name.strip("_") for name in names if name.strip("_")))


def _missing(words: List[str], whole: str, last: str) -> List[Tuple[str, str]]:
    """(a word of the last member, a word that no member has): those that come next in their own order first."""
    found = []
    for at, old in enumerate(words):
        if re.search(r"\b_*%s\b" % re.escape(old), last):
            for new in [*words[at + 1 :], *words[:at]]:
                if not re.search(r"\b_*%s\b" % re.escape(new), whole):
                    found.append((old, new))
    return found[:8]


def in_place_of(text: str, old: str, new: str) -> str:
    """A member with another word, the underscores in front of it kept."""
    return re.sub(r"\b(_*)%s\b" % re.escape(old), lambda found: found.group(1) + new, text)


def lines(site: Site) -> Iterator[Change]:
    """A line like this one is missing for another field: `copy.a = self.a`, and nothing for `b`."""
    stmt = site.stmt
    if not isinstance(stmt, (ast.Assign, ast.Expr, ast.AugAssign)) or not site.source.alone(stmt):
        return
    text, function = site.text(stmt), site.function
    if function is None or "\n" in text or text[:1] in "'\"":
        return
    around = "\n".join(site.text(one) for one in site.block())
    for rank, (old, new) in enumerate(_missing(_words(site), around, text)):
        line = in_place_of(text, old, new)
        yield Change(site.insert_after(line), 0.12 * rank, "`%s`" % function.name, "does not do `%s`" % short(line))


def _what(site: Site, node: Optional[ast.AST]) -> str:
    return "`%s`" % short(site.text(node if node is not None else site.stmt))
