"""Whole expressions: one of the function in the place of another, one more operand, a rest, a question in a truth."""

from __future__ import annotations

import ast
import builtins
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import walked
from .boolean import conditions

PARTS = (ast.Attribute, ast.Subscript, ast.Call)
LONGEST = 50
_BUILTINS = frozenset(dir(builtins))
USUAL = ("26", "7", "12", "24", "60", "360", "10", "100", "256", "1000")
QUESTIONS = ("isalpha", "isdigit", "isalnum", "strip", "isspace", "isupper", "islower", "isidentifier")


def at_hand(site: Site) -> List[str]:
    """Expressions of the function, one-line and short, that the statement could use too: the nearest first."""
    known = set(site.scope) | _BUILTINS | {"self", "cls"}
    found: Dict[str, int] = {}
    for node in walked(site.function) if site.function is not None else ():
        if not isinstance(node, PARTS) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            continue
        parent, text = site.parent(node), site.text(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        if called or len(text) > LONGEST or "\n" in text or isinstance(parent, ast.Expr):
            continue
        if {n.id for n in walked(node) if isinstance(n, ast.Name)} <= known:
            found[text] = min(abs(node.lineno - site.stmt.lineno), found.get(text, 999))
    return sorted(found, key=lambda text: found[text])[:12]


def _replaceable(site: Site) -> Iterator[ast.AST]:
    for node in site.of(*PARTS, ast.Name):
        parent = site.parent(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        held = isinstance(parent, (ast.Attribute, ast.Expr)) or site.text(node) in ("self", "cls", "super()")
        if not called and not held and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield node


def of_sibling(site: Site) -> Iterator[Change]:
    """`a.start` becomes `b.end`, `len(x)` and the like: another expression of the function."""
    texts = at_hand(site)
    for node in _replaceable(site):
        old = site.text(node)
        for rank, text in enumerate(texts):
            if text != old and text not in old and "\n" not in old:
                fault = "is used where `%s` is meant" % short(text)
                # What contains the old one is the old one, taken further.
                cost = 0.1 * rank - (0.3 if old in text else 0.0)
                yield Change(site.swap(node, text), cost, "`%s`" % short(old), fault)


def operand(site: Site) -> Iterator[Change]:
    """`a` becomes `a - b`, `a + b` and so on, with an expression `b` of the function."""
    texts = at_hand(site)
    texts += [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    for node in _values(site):
        old = site.operand(node)
        for rank, text in enumerate(texts):
            if text in old or "\n" in old:
                continue
            for more, form in enumerate(("%s - %s", "%s + %s", "%s * %s", "%s / %s", "%s // %s", "%s % %s")):
                new = form.replace("%s", old, 1).replace("%s", text, 1)
                fault = "leaves out `%s`" % short(text)
                cost = 0.12 * rank + 0.15 * more
                yield Change(site.fit(node, new), cost, "`%s`" % short(site.text(node)), fault)
            fault = "must be taken from `%s`" % short(text)
            yield Change(site.fit(node, "%s - %s" % (text, old)), 0.12 * rank + 0.3, "`%s`" % short(old), fault)


def _values(site: Site) -> Iterator[ast.expr]:
    """What a statement gives back, stores or makes an element of."""
    for node in site.of(*PARTS, ast.Name):
        assert isinstance(node, ast.expr)
        parent = site.parent(node)
        value = getattr(parent, "value", None) is node and isinstance(
            parent, (ast.Return, ast.Assign, ast.AugAssign, ast.DictComp, ast.Yield)
        )
        element = isinstance(parent, (ast.ListComp, ast.GeneratorExp, ast.SetComp)) and parent.elt is node
        member = isinstance(parent, (ast.Tuple, ast.Dict, ast.Compare)) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        )
        if value or element or member:
            yield node


def rest(site: Site) -> Iterator[Change]:
    """`a + b` becomes `(a + b) % n`, `x[i]` becomes `x[i % len(x)]`: what goes beyond the end begins again."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        text = site.text(node)
        if not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)) or "\n" in text:
            continue
        for rank, bound in enumerate(_bounds(site, node)):
            fault = "goes beyond `%s`, where it should begin again" % bound
            yield Change(site.fit(node, "(%s) %% %s" % (text, bound)), 0.1 * rank, "`%s`" % short(text), fault)
        if isinstance(node.op, (ast.Mult, ast.Add)):
            yield Change(
                site.fit(node, "(%s) & 0xFFFFFFFF" % text), 0.9, "`%s`" % short(text), "must stay in 32 bits"
            )
    for part in site.of(ast.Subscript):
        assert isinstance(part, ast.Subscript)
        index, base = site.text(part.slice), site.text(part.value)
        if isinstance(part.slice, (ast.Name, ast.Attribute, ast.BinOp)) and "\n" not in index + base:
            new = "%s %% len(%s)" % (site.operand(part.slice), base)
            fault = "goes beyond the end, where it should begin again"
            yield Change(site.swap(part.slice, new), 0.2, "`%s`" % short(site.text(part)), fault)


def _bounds(site: Site, node: ast.BinOp) -> List[str]:
    """Lengths of what is at hand, numbers of the file in capitals, then what clocks, alphabets and bytes count to."""
    own = {n.id for n in walked(node) if isinstance(n, ast.Name)}
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1]) if name not in own][:3]
    found = ["len(%s)" % name for name in names] + names[:2]
    found += [name for name in site.scope if name.isupper()][:4]
    for one in walked(site.function) if site.function is not None else ():
        if isinstance(one, ast.Constant) and type(one.value) is int and one.value > 2:
            found.append(str(one.value))
    held = [site.text(one) for one in site.of(ast.Attribute)]
    found += ["len(%s)" % text for text in dict.fromkeys(held) if text.startswith("self.")][:2]
    return list(dict.fromkeys([*found, *USUAL]))[:18]


def questions(site: Site) -> Iterator[Change]:
    """`if x` becomes `if x.isalpha()`; a comprehension gets such a filter: what it is counts, not that it is."""
    for condition in conditions(site):
        for node in walked(condition):
            parent = site.parent(node)
            bare = node is condition or isinstance(parent, (ast.BoolOp, ast.UnaryOp))
            if isinstance(node, (ast.Name, ast.Attribute)) and bare:
                for rank, word in enumerate(QUESTIONS):
                    text = "%s.%s()" % (site.text(node), word)
                    fault = "asks only whether it is there: `%s` is meant" % text
                    yield Change(site.swap(node, text), 0.1 * rank, "`%s`" % site.text(node), fault)
    for node in site.of(ast.ListComp, ast.GeneratorExp, ast.SetComp):
        part: ast.comprehension = node.generators[-1]  # type: ignore[attr-defined]
        if part.ifs or not isinstance(part.target, ast.Name):
            continue
        end = site.source.span(part.iter)[1]
        for rank, word in enumerate(QUESTIONS):
            test = "%s.%s()" % (part.target.id, word)
            fault = "keeps entries that `if %s` would leave out" % test
            yield Change(((end, end, " if " + test),), 0.3 + 0.1 * rank, "`%s`" % short(site.text(node)), fault)


def summed(site: Site) -> Iterator[Change]:
    """`d[k] = v` becomes `d[k] = d.get(k, 0) + v`, `d[k] += v` likewise: what was there counts, if it was."""
    stmt = site.stmt
    added = isinstance(stmt, ast.AugAssign) and isinstance(stmt.op, ast.Add)
    if not isinstance(stmt, (ast.Assign, ast.AugAssign)):
        return
    target = stmt.targets[0] if isinstance(stmt, ast.Assign) else stmt.target
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice) or "\n" in site.text(stmt):
        return
    if isinstance(stmt, ast.AugAssign) and not added:
        return
    base, key, value = site.text(target.value), site.text(target.slice), site.operand(stmt.value)
    for rank, (start, more) in enumerate(_sums(value)):
        new = "%s = %s.get(%s, %s) + %s" % (site.text(target), base, key, start, more)
        fault = "fails for the first value of a key" if added else "keeps only the last value of a key"
        yield Change(
            site.swap(stmt, new), 0.15 * rank - (0.6 if added else 0.0), "`%s`" % short(site.text(stmt)), fault
        )


def _sums(value: str) -> Tuple[Tuple[str, str], ...]:
    return ("0", value), ("[]", "[%s]" % value), ("[]", value), ('""', value), ("()", "(%s,)" % value)
