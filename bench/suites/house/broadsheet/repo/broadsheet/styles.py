"""Styles in text: `{b:bold}`, `{u:underlined}`, `{r:reversed}`, nested as one likes."""

from dataclasses import dataclass

CODES = {"b": "1", "u": "4", "r": "7"}
RESET = "\x1b[0m"


class BadStyle(ValueError):
    """Braces that do not fit together, or a style that there is not."""


@dataclass(frozen=True)
class Run:
    """A piece of text with its styles, sorted."""

    text: str
    styles: tuple = ()


def parse(text):
    """Return the runs of a marked-up text. Raises BadStyle."""
    runs, styles, current, place = [], [], "", 0

    def end():
        nonlocal current
        if current:
            runs.append(Run(current, tuple(sorted(set(styles)))))
        current = ""

    while place < len(text):
        sign = text[place]
        if sign == "\\" and text[place + 1 : place + 2] in ("{", "}", "\\"):
            current += text[place + 1]
            place += 2
        elif sign == "{":
            name = text[place + 1 : place + 2]
            if name not in CODES or text[place + 2 : place + 3] != ":":
                raise BadStyle(f"no style at {place}")
            end()
            styles.append(name)
            place += 3
        elif sign == "}":
            if not styles:
                raise BadStyle(f"a brace too much at {place}")
            end()
            styles.pop()
            place += 1
        else:
            current += sign
            place += 1
    if styles:
        raise BadStyle(f"{len(styles)} braces are open at the end")
    end()
    return runs


def plain(runs):
    """Return the text without styles."""
    return "".join(run.text for run in runs)


def shown(runs):
    """Return the text with codes, all closed at its end."""
    parts, open_ = [], ()
    for run in runs:
        if run.styles != open_:
            if open_:
                parts.append(RESET)
            if run.styles:
                parts.append(f"\x1b[{';'.join(CODES[style] for style in run.styles)}m")
            open_ = run.styles
        parts.append(run.text)
    return "".join(parts) + (RESET if open_ else "")


def spread(runs, lines):
    """Return the runs of each line. `lines` are pieces of the plain text as (text, start, end)."""
    found = []
    for text, start, end in lines:
        line, place = [], 0
        for run in runs:
            first, last = max(start, place), min(end, place + len(run.text))
            if first < last:
                line.append(Run(run.text[first - place : last - place], run.styles))
            place += len(run.text)
        extra = text[end - start :]
        if extra:
            line.append(Run(extra, line[-1].styles if line else ()))
        found.append(line)
    return found
