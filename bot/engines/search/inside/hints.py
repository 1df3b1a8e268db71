"""What the failure itself says: exception types, messages, frames, and the values that an assertion showed."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from .signatures import Signatures

_COMPARED = re.compile(r"assert (.+?) (==|!=|<=|>=|<|>|is not|is|not in|in) (.+)")
_WHERE = re.compile(r"where (.+?) = ")
_UNITTEST = re.compile(r"AssertionError: (.+?) (!=|not greater than|not less than|is not|not found in) (.+)")
_LITERAL = re.compile(r"-?\d+(?:\.\d+)?|'[^'\n]*'|\"[^\"\n]*\"|True|False|None")


class Red(NamedTuple):
    """One red test as the host described it."""

    id: str
    exception: str
    message: str
    frames: Tuple[Tuple[str, int, str], ...]


class Hints:
    """The red tests' messages, read once. Frames are (path, line, function), outermost first."""

    def __init__(
        self,
        reds: Sequence[Red],
        modules: Dict[str, str],
        definitions: Dict[str, List[str]],
        methods: Dict[str, int],
        files: Optional[Mapping[str, bytes]] = None,
        changed: Optional[Mapping[str, Set[int]]] = None,
    ) -> None:
        self.reds = list(reds)
        self.changed = changed or {}
        """Path -> lines that the push brought."""
        self.modules = modules
        """Dotted module name -> path."""
        self.methods = methods
        """Method name of the project -> how many arguments it takes beside self."""
        self.definitions = definitions
        """Top-level name of the project -> dotted modules that define it."""
        self.signatures = Signatures(files or {})

    def of(self, *exceptions: str) -> Iterator[Red]:
        return (red for red in self.reds if any(name in _said(red) for name in exceptions))

    def found(self, pattern: str) -> List[str]:
        """First groups of a pattern over all messages, each once."""
        seen: Dict[str, None] = {}
        for red in self.reds:
            for match in re.finditer(pattern, red.message):
                seen[match.group(1)] = None
        return list(seen)

    def asserted(self) -> str:
        """The first lines of failed assertions: what they compare, as it shows itself."""
        lines = (red.message.split("\n", maxsplit=1)[0] for red in self.of("AssertionError"))
        return "\n".join(lines)

    def frames(self) -> Iterator[Tuple[str, int, float]]:
        """In-tree lines of the tracebacks with a weight: the innermost weighs most."""
        for red in self.reds:
            for depth, (path, line, _function) in enumerate(reversed(red.frames)):
                yield path, line, 1.0 / (1 + depth)

    def raised_in(self, path: str, lines: range) -> bool:
        """Whether a red test's error came up in one of these lines."""
        return any(weight == 1.0 and place == path and line in lines for place, line, weight in self.frames())

    def expected(self) -> Set[str]:
        """Literals that the assertions want to see: a patch that spells one of them out is suspect."""
        wanted: Set[str] = set()
        for red in self.reds:
            pair = compared(red.message)
            if pair:
                wanted.update(_LITERAL.findall(pair[1]))
        return {_plain(text) for text in wanted} - {"0", "1", "-1", "2", "True", "False", "None", ""}


def _said(red: Red) -> str:
    return red.exception + " " + red.message.split("\n")[0]


def _plain(text: str) -> str:
    return text[1:-1] if text[:1] in "'\"" else text


def compared(message: str) -> Optional[Tuple[str, str]]:
    """(got, expected) of a failed equality, as far as pytest's or unittest's words tell which is which."""
    lines = message.split("\n")
    for line in lines[:3]:
        match = _COMPARED.search(line) or _UNITTEST.search(line)
        if match is None or match.group(2) not in ("==", "!=", "is"):
            continue
        left, right = match.group(1).strip(), match.group(3).strip()
        computed = _WHERE.findall(message)
        if right in computed and left not in computed:
            left, right = right, left
        return (left, right) if len(left) <= 60 and len(right) <= 60 else None
    return None
