"""What a name or an expression stands for, as far as it can be read: aliases, folded texts, attributes by name.

`getattr(__import__("o" + "s"), "_ex" + "it")` reads as `os._exit`, and so do its kin. Nothing of the text is run, and
no result grows beyond MAX_TEXT: what cannot be read is None.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
from collections.abc import Callable

Fact = tuple[str, str, bool]
"""What a piece of code can do: code, detail, hard."""

MAX_TEXT = 10_000
_IMPORTERS = {"__import__", "importlib.import_module", "importlib.__import__", "builtins.__import__"}
_GETTERS = {"getattr", "builtins.getattr", "object.__getattribute__", "builtins.object.__getattribute__"}
_TABLES = {"vars", "builtins.vars"}


class Names:
    """Names of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._known: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._read: dict[int, object] = {}
        for node in ast.walk(tree):
            self._learn_import(node)
        assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)]
        for _ in range(3):  # an alias of an alias of an alias
            self._read.clear()
            for node in assigned:
                self._learn_assignment(node)
        self._read.clear()

    def _learn_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for item in node.names:
                top = item.name.split(".")[0]
                self._known[item.asname or top] = item.name if item.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for item in node.names:
                self._known[item.asname or item.name] = f"{node.module}.{item.name}"
                if item.name == "*":
                    self._known |= _starred(node.module)

    def _learn_assignment(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) != 1 or not isinstance(targets[0], ast.Name) or node.value is None:
            return
        dotted, text = self.dotted(node.value), self.text(node.value)
        if (dotted and "." in dotted) or dotted in self._known.values():
            self._known.setdefault(targets[0].id, str(dotted))
        if text is not None:
            self._texts.setdefault(targets[0].id, text)

    def dotted(self, node: ast.AST | None) -> str | None:
        """`os._exit` for whatever means that; None for what is no module, nor an attribute of one."""
        if isinstance(node, ast.Name):
            return self._known.get(node.id) or (node.id if node.id in _BUILTINS else None)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return _joined(owner, node.attr) if owner else None
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.Subscript):
            return self._item(node)
        return None

    def _called(self, node: ast.Call) -> str | None:
        name = self.dotted(node.func)
        if name in _IMPORTERS and node.args:
            return self.text(node.args[0])
        if name in _GETTERS and len(node.args) > 1:
            owner, attribute = self.dotted(node.args[0]), self.text(node.args[1])
            return _joined(owner, attribute) if owner and attribute else None
        return None

    def _item(self, node: ast.Subscript) -> str | None:
        """`sys.modules["os"]`, `os.__dict__["_exit"]`, `vars(os)["_exit"]`, `globals()["os"]`."""
        key = self.text(node.slice)
        table = self.dotted(node.value)
        if key and table == "sys.modules":
            return key
        if key and table and table.endswith(".__dict__"):
            return _joined(table.removesuffix(".__dict__"), key)
        call = node.value
        if key and isinstance(call, ast.Call):
            name = self.dotted(call.func)
            if name in ("globals", "locals"):
                return self._known.get(key)
            owner = self.dotted(call.args[0]) if name in _TABLES and call.args else None
            return _joined(owner, key) if owner else None
        return None

    def text(self, node: ast.AST | None) -> str | None:
        """The text that an expression comes to, where it is made of constants."""
        try:
            found = self._folded(node)
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError, binascii.Error):
            return None
        if isinstance(found, bytes):
            found = found.decode("utf-8", "replace")
        return found[:MAX_TEXT] if isinstance(found, str) else None

    def _folded(self, node: ast.AST | None) -> object:
        """Each expression is read once: a long sum of texts holds all the shorter ones."""
        if id(node) not in self._read:
            self._read[id(node)] = None
            found = self._fold(node)
            self._read[id(node)] = None if isinstance(found, str | bytes | list) and len(found) > MAX_TEXT else found
        return self._read[id(node)]

    def _fold(self, node: ast.AST | None) -> object:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._texts.get(node.id)
        if isinstance(node, ast.JoinedStr):
            return "".join(_only_text(self._folded(part)) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            found = self._folded(node.value)
            return None if found is None else str(found)
        if isinstance(node, ast.List | ast.Tuple):
            return [self._folded(part) for part in node.elts]
        if isinstance(node, ast.BinOp):
            return _combined(node.op, self._folded(node.left), self._folded(node.right))
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.Call):
            return self._result(node)
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self._each(node)
        return None

    def _part(self, node: ast.Subscript) -> object:
        whole = self._folded(node.value)
        if isinstance(node.slice, ast.Slice) and isinstance(whole, str | bytes | list):
            bounds = [_number(part) for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            return whole[slice(*bounds)]
        return None

    def _result(self, node: ast.Call) -> object:
        name = self.dotted(node.func) or ""
        arguments = [self._folded(argument) for argument in node.args]
        if name in _FOLDED and arguments:
            return _FOLDED[name](arguments[0])
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            owner = self._folded(node.func.value)
            if isinstance(owner, str | bytes):
                return getattr(owner, node.func.attr)(*arguments)
        return None

    def _each(self, node: ast.GeneratorExp | ast.ListComp) -> object:
        """`chr(n) for n in (95, 101)` and its like: the numbers are enough."""
        source = self._folded(node.generators[0].iter)
        plain = isinstance(node.elt, ast.Call) and self.dotted(node.elt.func) in ("chr", "builtins.chr")
        if plain and isinstance(source, list | bytes) and len(source) <= MAX_TEXT:
            return [chr(int(_only_number(number))) for number in source]
        return source if isinstance(source, list | str) else None


_BUILTINS = {
    "__import__", "__builtins__", "eval", "exec", "compile", "getattr", "setattr", "delattr", "vars", "globals",
    "locals", "chr", "bytes", "bytearray", "str", "open", "exit", "quit", "object", "type",
}  # fmt: skip
_METHODS = {"join", "decode", "encode", "replace", "lower", "upper", "strip", "removeprefix", "removesuffix"}


def _joined(owner: str | None, attribute: str) -> str:
    """Builtins are named without their module."""
    return attribute if owner in ("builtins", "__builtins__") else f"{owner}.{attribute}"


def _starred(module: str) -> dict[str, str]:
    """What `from module import *` brings along that matters here."""
    names = {
        "os": ("abort", "kill", "killpg"), "unittest": ("SkipTest", "skip"), "pytest": ("skip", "exit", "xfail"),
        "signal": ("raise_signal",), "sys": ("exit", "settrace", "setprofile", "modules", "meta_path"),
    }  # fmt: skip
    return {name: f"{module}.{name}" for name in names.get(module, ())}


def _only_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("text expected")
    return value


def _only_number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("number expected")
    return value


def _number(node: ast.expr | None) -> int | None:
    if node is None:
        return None
    value = ast.literal_eval(node)
    return _only_number(value)


def _combined(operator: ast.operator, left: object, right: object) -> object:
    if isinstance(operator, ast.Add) and isinstance(left, str | bytes | list) and type(left) is type(right):
        return left + right  # type: ignore[operator]
    if isinstance(operator, ast.Mult) and isinstance(left, str) and isinstance(right, int):
        return left * right if right * len(left) <= MAX_TEXT else None
    if isinstance(operator, ast.Mod) and isinstance(left, str):
        parts = right if isinstance(right, list) else [right]
        # Nothing but plain `%s`: a width could be asked for that no memory holds.
        return _interleaved(left.split("%s"), parts) if left.count("%") == left.count("%s") == len(parts) else None
    return None


def _interleaved(pieces: list[str], parts: list[object]) -> str:
    return pieces[0] + "".join(_only_text(part) + piece for part, piece in zip(parts, pieces[1:], strict=True))


def _bytes(value: object) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    if isinstance(value, list) and len(value) <= MAX_TEXT:
        return bytes(_only_number(number) for number in value)
    raise TypeError("bytes expected")


_FOLDED: dict[str, Callable[[object], object]] = {
    "chr": lambda value: chr(_only_number(value)),
    "str": str,
    "bytes": _bytes,
    "bytearray": _bytes,
    "bytes.fromhex": lambda value: bytes.fromhex(_only_text(value)),
    "binascii.unhexlify": lambda value: binascii.unhexlify(_bytes(value)),
    "base64.b64decode": lambda value: base64.b64decode(_bytes(value)),
    "base64.b32decode": lambda value: base64.b32decode(_bytes(value)),
    "base64.b16decode": lambda value: base64.b16decode(_bytes(value)),
    "base64.b85decode": lambda value: base64.b85decode(_bytes(value)),
    "codecs.decode": lambda value: codecs.decode(_only_text(value), "rot13"),
}
