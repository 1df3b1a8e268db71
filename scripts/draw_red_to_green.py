"""Draws docs/red-to-green.svg, the README's picture of the way from a red check to a green one.

    python scripts/draw_red_to_green.py

The picture has a background of its own and follows the reader's colour scheme. It uses no style variables and no
web fonts, since GitHub shows it as an image: nothing is loaded, and no script runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

TARGET = Path(__file__).parent.parent / "docs" / "red-to-green.svg"

WIDTH, HEIGHT = 1000, 276
BOX_WIDTH, BOX_HEIGHT, BOX_TOP, GAP = 140, 156, 38, 22
MIDDLE = BOX_TOP + BOX_HEIGHT // 2
LEFT = (WIDTH - 5 * BOX_WIDTH - 4 * GAP) // 2
ENDS = 50  # centre of the outer signs, from the edges
RADIUS = 23
LETTER_WIDTH = 6.1  # of the small bold text, near enough to centre it
SIGNS_WIDTH = 36  # of two small signs and the space behind them

TITLE = "From a red check to a green one"
DESCRIPTION = (
    "A red check starts five steps. Trigger: a failed check, a label or a comment becomes one job. "
    "Reproduce: the tests run in a box without network or secrets, and must be red twice. "
    "Propose: an offline search for a small change makes patches. "
    "Verify: fresh boxes that ran nothing else must be green twice; "
    "a rejected patch goes back, and the next one is tried. "
    "Pull request: the verified diff, with its root cause and the evidence. The check is green."
)

# Colours of the steps, from red to green: for a light and a dark background.
STEPS = (("#cf222e", "#f85149"), ("#bc4c00", "#f0883e"), ("#8a6100", "#d9a93a"), ("#4c7a16", "#9cc64a"),
         ("#1a7f37", "#3fb950"))  # fmt: skip
SCHEMES = {
    "panel": ("fill:#ffffff;stroke:#d1d9e0", "fill:#0d1117;stroke:#3d444d"),
    "box": ("fill:#f6f8fa;stroke:#d1d9e0", "fill:#151b23;stroke:#3d444d"),
    "name": ("fill:#1f2328", "fill:#f0f6fc"),
    "text": ("fill:#59636e", "fill:#9198a1"),
    "line": ("stroke:#818b98", "stroke:#818b98"),
    "tip": ("fill:#818b98", "fill:#818b98"),
    "on": ("stroke:#ffffff", "stroke:#0d1117"),
}
FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI','Noto Sans',Helvetica,Arial,sans-serif"

# Icons on a field of 24 x 24, drawn with a round pen.
BOLT = "M13 3 5 13.5h6L10 21l8-10.5h-6z"
CUBE = "M12 3 4 7.2v9.6L12 21l8-4.2V7.2zM4 7.2l8 4.3 8-4.3M12 11.5V21"
LENS = "M16.5 10.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM15 15l5.5 5.5M8 10.5h5M10.5 8v5"
SHIELD = "M12 3 5 5.6v5.6c0 4.6 2.9 8 7 9.8 4.1-1.8 7-5.2 7-9.8V5.6zM8.8 11.8l2.4 2.4 4.2-4.4"
PULL = (
    "M8.5 5.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM8.5 18.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0z"
    "M20.1 18.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM6.2 7.8v8.4"
    "M17.8 16.2V9a3.5 3.5 0 0 0-3.5-3.5H11m2.6-2.8L10.8 5.5l2.8 2.8"
)
CROSS = "M-1 -1 1 1M1 -1-1 1"
TICK = "M-1.15 .1-.35 .9 1.15-.8"


@dataclass(frozen=True)
class Step:
    """One box: its name, an icon, two lines of text and what comes out; `twice` puts two signs before that."""

    name: str
    icon: str
    lines: tuple[str, str]
    result: str
    twice: str = ""


WAY = (
    Step("Trigger", BOLT, ("a failed check,", "label or comment"), "one job"),
    Step("Reproduce", CUBE, ("in a box without", "network or secrets"), "red, twice", CROSS),
    Step("Propose", LENS, ("an offline search", "for a small change"), "patches"),
    Step("Verify", SHIELD, ("in fresh boxes that", "ran nothing else"), "green, twice", TICK),
    Step("Pull request", PULL, ("with the root cause", "and the evidence"), "verified diff"),
)
REJECTED = "a rejected patch goes back, and the next one is tried"


def draw() -> str:
    """The whole picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(TITLE)}</title>',
        f'<desc id="description">{escape(DESCRIPTION)}</desc>',
        f"<style>{_style()}</style>",
        f'<rect class="panel" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="12"/>',
        *_end(ENDS, 0, CROSS, "red check"),
        _arrow(ENDS + RADIUS + 5, LEFT - 3),
    ]
    for number, step in enumerate(WAY):
        left = LEFT + number * (BOX_WIDTH + GAP)
        parts += _box(step, number, left)
        if number < len(WAY) - 1:
            parts.append(_arrow(left + BOX_WIDTH + 3, left + BOX_WIDTH + GAP - 3))
    parts += [
        _arrow(WIDTH - LEFT + 3, WIDTH - ENDS - RADIUS - 5),
        *_end(WIDTH - ENDS, len(STEPS) - 1, TICK, "green check"),
        *_way_back(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _style() -> str:
    light = [f".{name}{{{both[0]}}}" for name, both in SCHEMES.items()]
    dark = [f".{name}{{{both[1]}}}" for name, both in SCHEMES.items()]
    for number, (day, night) in enumerate(STEPS):
        for rules, colour in ((light, day), (dark, night)):
            rules += [f".f{number}{{fill:{colour}}}", f".s{number}{{stroke:{colour}}}"]
    fixed = [
        f"text{{font-family:{FONT};text-anchor:middle}}",
        ".name{font-size:17px;font-weight:600}",
        ".text{font-size:13px}",
        ".result{font-size:13px;font-weight:600}",
        ".line,.icon,.on{fill:none;stroke-linecap:round;stroke-linejoin:round}",
        ".line{stroke-width:1.5}",
        ".icon{stroke-width:1.7}",
    ]
    return "".join([*fixed, *light, "@media(prefers-color-scheme:dark){", *dark, "}"])


def _box(step: Step, number: int, left: int) -> list[str]:
    """One step: an edge in its colour, icon, name, two lines, and the result at the foot."""
    centre = left + BOX_WIDTH // 2
    foot = BOX_TOP + BOX_HEIGHT - 17
    return [
        f'<rect class="box" x="{left + 0.5}" y="{BOX_TOP + 0.5}" width="{BOX_WIDTH - 1}" height="{BOX_HEIGHT - 1}" '
        'rx="8"/>',
        f'<path class="icon s{number}" transform="translate({centre - 13} {BOX_TOP + 13}) scale(1.083)" '
        f'd="{step.icon}"/>',
        _text("name", centre, BOX_TOP + 64, step.name),
        _text("text", centre, BOX_TOP + 87, step.lines[0]),
        _text("text", centre, BOX_TOP + 104, step.lines[1]),
        f'<path class="s{number}" stroke-opacity=".35" d="M{left + 16} {BOX_TOP + 117.5}h{BOX_WIDTH - 32}"/>',
        *_result(step, number, centre, foot),
    ]


def _result(step: Step, number: int, centre: int, foot: int) -> list[str]:
    """What comes out of a step; one that happens twice is shown in the colour of its check."""
    if not step.twice:
        return [_text(f"result f{number}", centre, foot, step.result)]
    colour = 0 if step.twice == CROSS else len(STEPS) - 1
    start = centre - SIGNS_WIDTH / 2 - LETTER_WIDTH * len(step.result) / 2
    signs = [_sign(start + 6.5 + 16 * nth, foot - 4.5, step.twice, colour=colour) for nth in (0, 1)]
    return [*signs, _text(f"result f{colour}", centre + SIGNS_WIDTH / 2, foot, step.result)]


def _sign(x: float, y: float, shape: str, *, colour: int, radius: float = 6.5) -> str:
    """A filled circle with a cross or a tick."""
    reach = radius * 0.38
    pen = 0.9 + radius * 0.12
    return (
        f'<circle class="f{colour}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        f'<path class="on" transform="translate({x:g} {y:g}) scale({reach:g})" stroke-width="{pen / reach:.3g}" '
        f'd="{shape}"/>'
    )


def _end(x: int, colour: int, shape: str, label: str) -> list[str]:
    """One of the two outer signs, with its label below."""
    word, check = label.split()
    return [
        _sign(x, MIDDLE, shape, colour=colour, radius=RADIUS),
        _text(f"result f{colour}", x, MIDDLE + RADIUS + 21, word),
        _text("text", x, MIDDLE + RADIUS + 37, check),
    ]


def _arrow(start: int, end: int) -> str:
    return f'<path class="line" d="M{start} {MIDDLE}H{end - 4}"/>{_tip(end, MIDDLE, 0)}'


def _tip(x: int, y: int, turn: int) -> str:
    """An arrow head that ends in (x, y); turned by degrees, 0 points right."""
    return f'<path class="tip" transform="translate({x} {y}) rotate({turn})" d="M0 0-8-4.5-6.2 0-8 4.5z"/>'


def _way_back() -> list[str]:
    """From the foot of Verify back to the foot of Propose."""
    start, end = (LEFT + number * (BOX_WIDTH + GAP) + BOX_WIDTH // 2 for number in (3, 2))
    foot, depth, bend = BOX_TOP + BOX_HEIGHT + 3, 26, 10
    path = f"M{start} {foot}v{depth - bend}q0 {bend}-{bend} {bend}H{end + bend}q-{bend} 0-{bend}-{bend}V{foot + 5}"
    return [
        f'<path class="line" stroke-dasharray="4 4" d="{path}"/>',
        _tip(end, foot, -90),
        _text("text", (start + end) // 2, foot + depth + 22, REJECTED),
    ]


def _text(style: str, x: float, y: float, words: str) -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
    print(TARGET)
