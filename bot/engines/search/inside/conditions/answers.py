"""Which methods of an object may be asked in passing: by their code they look at it, and do nothing else."""

from __future__ import annotations

import dis
import inspect
import types
from typing import Any, FrozenSet, List, Mapping, Tuple

from ..kinds import Raw

LONGEST = 40
MOST_ASKED = 8
_SAFE: FrozenSet[str] = frozenset(
    ("len", "isinstance", "bool", "int", "str", "any", "all", "min", "max", "startswith", "endswith", "strip")
    + ("lower", "upper", "isdigit", "isupper", "get", "keys")
)
_LOOKS: Tuple[str, ...] = (
    *("STORE_FAST", "LOAD_", "RETURN_", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "POP_", "BINARY_", "UNARY_", "TO_BOOL"),
    *(
        "RESUME",
        "COPY",
        "SWAP",
        "DUP_TOP",
        "ROT_",
        "PRECALL",
        "CALL",
        "PUSH_NULL",
        "KW_NAMES",
        "CACHE",
        "NOP",
        "JUMP_",
    ),
    *("BUILD_TUPLE", "BUILD_SLICE", "NOT_TAKEN", "EXTENDED_ARG"),
)
_OTHER = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_COROUTINE
_OTHER |= inspect.CO_ASYNC_GENERATOR


def asked_of(kind: type) -> List[str]:
    """Names of such methods, those of the class itself first."""
    found = [key for base in kind.__mro__ for key, held in list(vars(base).items()) if only_looks(held)]
    return [key for key in dict.fromkeys(found) if not key.startswith("_")][:MOST_ASKED]


def only_looks(held: Raw) -> bool:
    """Whether it is a short method without arguments that changes nothing, and calls nothing that might."""
    if type(held) is not types.FunctionType or held.__closure__:
        return False
    code = held.__code__
    if code.co_argcount != 1 or code.co_kwonlyargcount or code.co_flags & _OTHER:
        return False
    steps = list(dis.get_instructions(code))
    if len(steps) > LONGEST or not all(step.opname.startswith(_LOOKS) for step in steps):
        return False
    if any(step.opname == "JUMP_BACKWARD" or step.opname.startswith("POP_EXCEPT") for step in steps):
        return False
    calls = sum(
        step.opname in ("CALL", "CALL_FUNCTION", "CALL_METHOD", "CALL_KW", "CALL_FUNCTION_EX") for step in steps
    )
    return calls <= sum(_is_safe(step, held.__globals__) for step in steps)


def _is_safe(step: Any, names: Mapping[str, Any]) -> bool:
    """Whether it fetches something that may be called."""
    if step.argval not in _SAFE or step.argval in names:
        return False
    return step.opname in ("LOAD_GLOBAL", "LOAD_METHOD", "LOAD_ATTR")
