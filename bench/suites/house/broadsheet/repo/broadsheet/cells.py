"""How many cells a text takes, and cutting by cells."""

import unicodedata

JOINERS = "\u200b\u200c\u200d\u2060\ufe0e\ufe0f"
SOFT_HYPHEN = "\u00ad"


def width_of(sign):
    """Return the cells that one sign takes: 0, 1 or 2."""
    if sign in JOINERS or sign == SOFT_HYPHEN or unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def width(text):
    """Return the cells that a text takes."""
    return sum(map(width_of, text))


def clusters(text):
    """Return the signs of a text, each together with the marks and joiners that follow it."""
    found = []
    for sign in text:
        if found and width_of(sign) == 0 and sign != SOFT_HYPHEN:
            found[-1] += sign
        else:
            found.append(sign)
    return found


def cut(text, cells):
    """Return (what fits into so many cells, the rest). No sign is divided from its marks."""
    taken, used = 0, 0
    for cluster in clusters(text):
        used += width(cluster)
        if used > cells:
            break
        taken += len(cluster)
    return text[:taken], text[taken:]


def fitted(text, cells, align="left"):
    """Return the text in exactly so many cells: cut, or filled up with blanks."""
    shown = text if width(text) <= cells else cut(text, cells)[0]
    blank = cells - width(shown)
    if align == "right":
        return " " * blank + shown
    if align == "center":
        return " " * (blank // 2) + shown + " " * (blank - blank // 2)
    return shown + " " * blank
