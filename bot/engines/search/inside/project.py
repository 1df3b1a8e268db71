"""What the project defines, read off its files line by line: modules, names at their top level, methods."""

from __future__ import annotations

import re
from typing import Dict, List, Set, Tuple

_METHOD = re.compile(r"^[ \t]+def (\w+)\(self(?:, *)?([^)]*)\)", re.MULTILINE)


def project_names(files: Dict[str, bytes], paths: List[str]) -> Tuple[Dict[str, str], Dict[str, List[str]]]:
    """Dotted modules of the tree, and which of them define a name at their top level."""
    modules: Dict[str, str] = {}
    definitions: Dict[str, List[str]] = {}
    roots = sorted([path.strip("/") + "/" for path in paths if path.strip("./")], key=len, reverse=True)
    for path in sorted(files):
        inside = next((path[len(root) :] for root in roots if path.startswith(root)), path)
        dotted = inside[:-3].replace("/", ".")
        dotted = dotted[: -len(".__init__")] if dotted.endswith(".__init__") else dotted
        modules[dotted] = path
        for name in top_names(files[path]):
            definitions.setdefault(name, []).append(dotted)
    return modules, definitions


def methods_of(files: Dict[str, bytes]) -> Dict[str, int]:
    """Methods of all classes, with the number of arguments beside `self`."""
    methods: Dict[str, int] = {}
    for data in files.values():
        for name, rest in _METHOD.findall(data.decode("utf-8", "replace")):
            methods[name] = len([part for part in rest.split(",") if part.strip()])
    return methods


def top_names(data: bytes) -> Set[str]:
    """Names that lines at the left margin define: good enough, and works for files that do not parse."""
    names: Set[str] = set()
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split("(")[0].split(":")[0].split()
        if line[:1].strip() and len(words) >= 2 and words[0] in ("def", "class"):
            names.add(words[1])
        elif line[:1].strip() and len(words) >= 3 and words[1] == "=" and words[0].isidentifier():
            names.add(words[0])
    return names
