"""Charts as SVG, for a page that fetches nothing. Colours come from the page's own style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bench.tally import Rate

WIDTH = 720
_LABEL = 190
_ROW = 30
_PLOT_HEIGHT = 220
_MARGIN = 44


@dataclass(frozen=True)
class Bar:
    """One row of a bar chart; `tone` is a class of the page's style."""

    label: str
    rate: Rate
    tone: str


def bars(rows: Sequence[Bar]) -> str:
    """Shares in percent, with their intervals as whiskers."""
    height = _ROW * len(rows) + 26
    scale = (WIDTH - _LABEL - 150) / 100
    parts = [_ticks(scale, height)]
    for number, row in enumerate(rows):
        y = number * _ROW + 4
        low, high = (_LABEL + bound * scale for bound in row.rate.interval)
        middle = y + 9
        parts.append(
            f'<text class="label" x="{_LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(row.label)}</text>'
            f'<rect class="{row.tone}" x="{_LABEL}" y="{y}" width="{max(row.rate.percent * scale, 1):.1f}" '
            f'height="18" rx="2"/>'
            f'<path class="whisker" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {y + 4}v10M{high:.1f} {y + 4}v10"/>'
            f'<text class="value" x="{_LABEL + 100 * scale + 10:.1f}" y="{y + 14}">{escape(_figure(row.rate))}</text>'
        )
    return _svg(height, "".join(parts), "Shares in percent with intervals of 95 %")


def _figure(rate: Rate) -> str:
    return f"{rate.percent:.1f} % ({rate.count} of {rate.of})"


def _ticks(scale: float, height: int) -> str:
    return "".join(
        f'<path class="grid" d="M{_LABEL + at * scale:.1f} 0V{height - 20}"/>'
        f'<text class="tick" x="{_LABEL + at * scale:.1f}" y="{height - 6}" text-anchor="middle">{at} %</text>'
        for at in (0, 25, 50, 75, 100)
    )


@dataclass(frozen=True)
class Curve:
    """What was resolved within so many seconds of search."""

    label: str
    seconds: Sequence[float]
    of: int
    tone: str


def curves(rows: Sequence[Curve], longest_s: float) -> str:
    """Share that is resolved, over the seconds that the search took; one stepped line for each run."""
    span = max(longest_s, 1.0)
    width, height = WIDTH - 2 * _MARGIN, _PLOT_HEIGHT - 2 * _MARGIN + 40
    parts = [_axes(span, width, height)]
    for number, row in enumerate(rows):
        path = [f"M{_MARGIN} {10 + height}"]
        for count, second in enumerate(sorted(row.seconds), start=1):
            x, y = _MARGIN + min(second / span, 1) * width, 10 + height * (1 - count / max(row.of, 1))
            path.append(f"H{x:.1f}V{y:.1f}")
        path.append(f"H{_MARGIN + width}")
        parts.append(f'<path class="curve {row.tone}" d="{"".join(path)}"/>')
        parts.append(
            f'<text class="legend {row.tone}" x="{_MARGIN + 8}" y="{28 + 16 * number}">{escape(row.label)}</text>'
        )
    return _svg(_PLOT_HEIGHT, "".join(parts), "Share that is resolved over seconds of search")


def _axes(span: float, width: float, height: float) -> str:
    lines = []
    for share in (0, 50, 100):
        y = 10 + height * (1 - share / 100)
        lines.append(
            f'<path class="grid" d="M{_MARGIN} {y:.1f}h{width}"/>'
            f'<text class="tick" x="{_MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{share} %</text>'
        )
    for part in range(5):
        x = _MARGIN + width * part / 4
        seconds = f"{span * part / 4:.0f} s"
        lines.append(f'<text class="tick" x="{x:.1f}" y="{height + 28:.1f}" text-anchor="middle">{seconds}</text>')
    return "".join(lines)


def _svg(height: int, inner: str, title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">{inner}</svg>'
