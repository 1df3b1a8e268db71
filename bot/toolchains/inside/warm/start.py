"""Starts the warm server in the box. Our folders become a package of a private name: no project module can be it.

Started as `python -I -B start.py`, from below `regreen/`, which is laid out like the package `bot`.
"""

import importlib
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PACKAGE = "_regreen"


def main() -> None:
    place = os.path.join(ROOT, "__init__.py")
    spec = importlib.util.spec_from_file_location(PACKAGE, place, submodule_search_locations=[ROOT])
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    importlib.import_module(PACKAGE + ".toolchains.inside.warm.server").main(os.path.dirname(ROOT))


if __name__ == "__main__":
    main()
