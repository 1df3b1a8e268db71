"""Starts the search in the box: makes this folder a package under a private name, so that no project module is it.

Started as `python -s start.py`. Sibling `job.json` says what to search; `../launch.py` says how pytest is started.
"""

import importlib
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "_regreen_search"


def main() -> None:
    if sys.path[0] == HERE:  # Python's own doing, and not to be seen by the project
        del sys.path[0]
    os.environ.pop("PYTHONHASHSEED", None)  # ours alone: what the tests start is as it always is
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    importlib.import_module(PACKAGE + ".worker").main(HERE)


if __name__ == "__main__":
    main()
