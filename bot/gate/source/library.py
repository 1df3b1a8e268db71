"""Says which dotted names of the standard library lead nowhere. Started by absent.py as a process of its own.

Names come from a patch, and to look for one is to import a module: that must not happen in the process that judges,
nor with the folder in which somebody started us on the path. A list of names in JSON comes in, and those that are not
there go out.
"""

from __future__ import annotations

import importlib
import json
import sys
from types import ModuleType

_NOTHING = object()


def is_there(name: str) -> bool:
    """Whether a dotted name leads somewhere; of what is no module it is not asked."""
    found, *rest = name.split(".")
    here: object = _module(found)
    for part in rest:
        if not isinstance(here, ModuleType):
            return True
        found = f"{found}.{part}"
        here = getattr(here, part, None) if hasattr(here, part) else _module(found) or _NOTHING
        if here is _NOTHING:
            return False
    return True


def _module(name: str) -> ModuleType | None:
    """A module of the standard library; None where it cannot be imported here."""
    try:
        return importlib.import_module(name)
    except BaseException:  # noqa: BLE001 - of another system, say: nothing is known of it, and the others are asked
        return None


if __name__ == "__main__":
    missing = [name for name in json.load(sys.stdin) if not is_there(name)]
    sys.__stdout__.write("\n" + json.dumps(missing))  # type: ignore[union-attr]  # what a module prints comes first
