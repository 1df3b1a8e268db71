"""Sequences: slices, indices, ranges, order, a filter."""

from __future__ import annotations

import ast
from typing import Iterator

from ..site import Change, Site, short


def sliced(site: Site) -> Iterator[Change]:
    """Bounds of a slice taken off, put on or turned: `x[1:]`, `x[:-1]`, `x[::-1]`."""
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        cut = node.slice
        if not isinstance(cut, ast.Slice) or isinstance(node.ctx, (ast.Store, ast.Del)):
            continue
        base, what = site.text(node.value), "`%s`" % short(site.text(node))
        lower = site.text(cut.lower) if cut.lower else ""
        upper = site.text(cut.upper) if cut.upper else ""
        ideas = [(lower, ""), ("", upper), (upper, ""), ("", lower), ("1", upper), (lower, "-1"), (upper, lower)]
        if lower and upper:
            ideas.insert(0, (lower, "%s + %s" % (lower, upper)))
        for rank, (low, high) in enumerate(ideas):
            new = "%s[%s:%s]" % (base, low, high)
            if new != site.text(node):
                fault = "takes the wrong part; it should be `%s`" % short(new)
                yield Change(site.swap(node, new), 0.2 * rank, what, fault)
        for rank, bound in enumerate((cut.lower, cut.upper)):
            if bound is not None and not isinstance(bound, ast.Constant):
                lengths = ["%s - len(%s)" % (site.operand(bound), name) for name in list(site.live())[:5]]
                for new in ("%s + 1" % site.operand(bound), "%s - 1" % site.operand(bound), *lengths):
                    fault = "cuts one off the right place: it should be `%s`" % short(new)
                    yield Change(site.swap(bound, new), 0.1 * rank, what, fault)
        yield Change(site.swap(node, base), 0.7, what, "should be the whole `%s`" % short(base))


def cut(site: Site) -> Iterator[Change]:
    """`x` becomes `x[1:]`, `x[:-1]`, `x[::-1]`, `x[:]`, `x[0]`, `x[-1]`."""
    for node in site.of(ast.Name, ast.Attribute, ast.Call):
        parent = site.parent(node)
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or isinstance(
            parent, (ast.Attribute, ast.Expr)
        ):
            continue
        if isinstance(parent, ast.Call) and parent.func is node:
            continue
        if isinstance(parent, ast.Subscript) and parent.value is node:
            continue
        text = site.text(node)
        for rank, part in enumerate(("[1:]", "[:-1]", "[::-1]", "[:]", "[0]", "[-1]")):
            fault = "is used whole where `%s%s` is meant" % (short(text), part)
            cost = 0.15 * rank + (0.9 if part == "[::-1]" else 0.0)
            yield Change(site.swap(node, text + part), cost, "`%s`" % short(text), fault)


def index(site: Site) -> Iterator[Change]:
    """`x[i]` becomes `x[0]`, `x[-1]`, `x[-i]`, or the whole `x`."""
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        key = node.slice
        if isinstance(key, (ast.Slice, ast.Tuple)) or type(key).__name__ == "ExtSlice":
            continue
        what, old = "`%s`" % short(site.text(node)), site.text(key)
        for rank, new in enumerate(("0", "-1", "1", "-2", "-" + site.operand(key))):
            if new != old and not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                yield Change(
                    site.swap(key, new), 0.2 * rank, what, "picks the wrong element: it should be `[%s]`" % new
                )
        if isinstance(node.ctx, ast.Load):
            yield Change(
                site.swap(node, site.text(node.value)), 0.8, what, "should be the whole `%s`" % site.text(node.value)
            )


def bounds(site: Site) -> Iterator[Change]:
    """`range(n)` becomes `range(1, n)`, `range(n + 1)`, `range(1, n + 1)`, `range(0, n)`, with another step."""
    for node in site.of(ast.Call):
        assert isinstance(node, ast.Call)
        if not (isinstance(node.func, ast.Name) and node.func.id == "range" and node.args and not node.keywords):
            continue
        texts = [site.text(argument) for argument in node.args]
        low, high = ("0", texts[0]) if len(texts) == 1 else (texts[0], texts[1])
        top = high if len(high) < 12 else "(%s)" % high
        step = ", " + texts[2] if len(texts) == 3 else ""
        ideas = ["%s + 1" % high, "%s - 1" % high]
        new_ranges = ["%s, %s%s" % (low, idea, step) if low != "0" or step else idea for idea in ideas]
        new_ranges += ["1, %s%s" % (high, step), "1, %s + 1%s" % (top, step), "0, %s%s" % (high, step)]
        new_ranges += ["2, %s%s" % (high, step), "2, %s + 1%s" % (top, step)]
        new_ranges += ["%s + 1, %s%s" % (low, high, step), "%s - 1, %s%s" % (low, high, step)]
        new_ranges += ["%s - 1, %s - 1, -1" % (high, low), "%s, %s, -1" % (high, low), "%s, %s, -1" % (low, high)]
        new_ranges += ["%s, %s, 2" % (low, high)]
        for rank, inside in enumerate(new_ranges):
            new = "range(%s)" % inside
            if new != site.text(node):
                fault = "covers the wrong numbers: it should be `%s`" % short(new)
                yield Change(site.swap(node, new), 0.15 * rank, "`%s`" % short(site.text(node)), fault)


def reordered(site: Site) -> Iterator[Change]:
    """`reverse=` turned, `key=` taken off, a sign put on the key."""
    for node in site.of(ast.Call):
        assert isinstance(node, ast.Call)
        for keyword in node.keywords:
            what = "`%s`" % short(site.text(node))
            if keyword.arg == "reverse" and isinstance(keyword.value, ast.Constant):
                new = str(not keyword.value.value)
                yield Change(site.swap(keyword.value, new), 0.0, what, "sorts in the wrong direction")
            if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda):
                body = keyword.value.body
                yield Change(site.swap(body, "-" + site.operand(body)), 0.3, what, "sorts in the wrong direction")
                if isinstance(body, ast.UnaryOp):
                    plain = site.text(body.operand)
                    yield Change(site.swap(body, plain), 0.2, what, "sorts in the wrong direction")


def backwards(site: Site) -> Iterator[Change]:
    """`for x in items` becomes `for x in reversed(items)`, and back: the last one wins, or the first."""
    iterated = [site.stmt.iter] if isinstance(site.stmt, ast.For) else []
    iterated += [part.iter for node in site.nodes for part in getattr(node, "generators", [])]
    for node in iterated:
        text = site.text(node)
        what = "`%s`" % short(text)
        if text.startswith("reversed(") and isinstance(node, ast.Call) and len(node.args) == 1:
            yield Change(site.swap(node, site.text(node.args[0])), 0.0, what, "is walked through from its end")
        elif isinstance(node, (ast.Name, ast.Attribute)) or text.startswith("range("):
            fault = "is walked through from its start, where its end comes first"
            yield Change(site.swap(node, "reversed(%s)" % text), 0.0, what, fault)


def filtered(site: Site) -> Iterator[Change]:
    """A comprehension gets a filter, or loses it."""
    for node in site.of(ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp):
        for part in getattr(node, "generators", []):
            what = "`%s`" % short(site.text(node))
            target = site.text(part.target)
            end = site.source.span(part.ifs[-1] if part.ifs else part.iter)[1]
            for rank, test in enumerate(
                (target, "%s is not None" % target, "%s > 0" % target, "%s.strip()" % target)
            ):
                word = " and " if part.ifs else " if "
                if "," not in target:
                    fault = "keeps entries that `if %s` would leave out" % test
                    yield Change(((end, end, word + test),), 0.3 * rank, what, fault)
            if len(part.ifs) == 1:
                start = site.source.span(part.iter)[1]
                fault = "leaves out entries that belong in"
                yield Change(((start, end, ""),), 0.5, what, fault)
