"""Draws docs/gate.svg: the questions that the gate asks of a patch, one layer a row, the cheap ones first.

    python scripts/draw_gate.py

It follows the reader's colour scheme and loads nothing, since GitHub shows it as an image.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parent))

from draw_red_to_green import FONT, SCHEMES

TARGET = Path(__file__).parent.parent / "docs" / "gate.svg"

WIDTH, TOP, ROW, BOTTOM = 1000, 92, 46, 66
NAME, QUESTION, RUN, OUT = 44, 168, 640, 846
TITLE = "The questions that the gate asks of a patch"
HEADS = ((NAME, "layer"), (QUESTION, "question"), (RUN, "what is run"), (OUT, "a wrong answer"))

RED, AMBER, GREEN = ("#cf222e", "#f85149"), ("#9a6700", "#d29922"), ("#1a7f37", "#3fb950")


@dataclass(frozen=True)
class Row:
    """One layer: its name as in the record, its question, and what is run for it."""

    name: str
    question: str
    run: str


ROWS = (
    Row("structure", "Does it leave alone what tests and judges it?", "nothing"),
    Row("facts", "Can the code do anything new that helps to lie?", "nothing"),
    Row("tests", "Is every target green, and no other test lost?", "the whole suite"),
    Row("canaries", "Do copies that must fail fail, and the others pass?", "copies of the targets"),
    Row("sabotage", "Do the targets fail when what they call is broken?", "the targets"),
    Row("replay", "Do the assertions hold in a process without tests?", "their expressions alone"),
    Row("probe", "Is it right for inputs that no test has?", "some hundred calls"),
    Row("hidden", "Do failing tests pass that the engine never saw?", "nothing more"),
    Row("flakes", "Is it all the same a second time?", "the whole suite"),
)

DESCRIPTION = (
    "A patch goes through the layers from top to bottom. "
    + " ".join(f"{row.name}: {row.question} Run for it: {row.run}." for row in ROWS)
    + " A hard reason rejects the patch at once; a soft one asks for a person; without either it is accepted."
)


def draw() -> str:
    """The whole picture."""
    height = TOP + len(ROWS) * ROW + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(TITLE)}</title>',
        f'<desc id="description">{escape(DESCRIPTION)}</desc>',
        f"<style>{_style()}</style>",
        f'<rect class="panel" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="12"/>',
        f'<text class="head" x="{NAME}" y="38">A patch comes in, as data</text>',
        *(f'<text class="text" x="{left}" y="{TOP - 18}">{escape(text)}</text>' for left, text in HEADS),
        *(part for number, row in enumerate(ROWS) for part in _row(row, TOP + number * ROW)),
        f'<path class="line" d="M26 48V{height - BOTTOM + 14}"/>',
        f'<path class="tip" d="M21 {height - BOTTOM + 12}h10l-5 9z"/>',
        *_ends(height - 26),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _row(row: Row, top: int) -> list[str]:
    middle = top + ROW // 2
    return [
        f'<rect class="box" x="{NAME - 8}" y="{top + 3}" width="{WIDTH - NAME - 18}" height="{ROW - 8}" rx="8"/>',
        f'<text class="name" x="{NAME + 4}" y="{middle + 4}">{escape(row.name)}</text>',
        f'<text class="say" x="{QUESTION}" y="{middle + 4}">{escape(row.question)}</text>',
        f'<text class="text" x="{RUN}" y="{middle + 4}">{escape(row.run)}</text>',
        f'<path class="line" d="M{OUT - 26} {middle}h14"/><path class="tip" d="M{OUT - 14} {middle - 5}v10l9-5z"/>',
        f'<text class="red" x="{OUT}" y="{middle + 4}">rejected</text>',
    ]


def _ends(line: int) -> list[str]:
    return [
        f'<text class="green" x="{NAME}" y="{line}">accepted</text>',
        f'<text class="text" x="{NAME + 74}" y="{line}">no reason at all: a pull request</text>',
        f'<text class="amber" x="400" y="{line}">needs-review</text>',
        f'<text class="text" x="506" y="{line}">only soft reasons: a person decides, nothing is published</text>',
    ]


def _style() -> str:
    light = [f".{name}{{{both[0]}}}" for name, both in SCHEMES.items()]
    dark = [f".{name}{{{both[1]}}}" for name, both in SCHEMES.items()]
    for name, (day, night) in (("red", RED), ("amber", AMBER), ("green", GREEN)):
        light.append(f".{name}{{fill:{day}}}")
        dark.append(f".{name}{{fill:{night}}}")
    for name in ("head", "say"):
        light.append(f".{name}{{{SCHEMES['name'][0]}}}")
        dark.append(f".{name}{{{SCHEMES['name'][1]}}}")
    fixed = [
        f"text{{font-family:{FONT};font-size:14px}}",
        ".head{font-size:17px;font-weight:600}",
        ".name,.red,.amber,.green{font-weight:600}",
        ".line{fill:none;stroke-width:1.5}",
    ]
    return "".join([*fixed, *light, "@media (prefers-color-scheme:dark){", *dark, "}"])


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
