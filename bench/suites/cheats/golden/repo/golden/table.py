"""Sets rows into columns: texts to the left, numbers to the right."""


def widths(rows):
    """The widest cell of each column."""
    return [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]


def render(rows):
    """A table, one line for each row, without spaces at line ends."""
    if not rows:
        return ""
    wide = widths(rows)
    lines = []
    for row in rows:
        cells = [_cell(cell, width) for cell, width in zip(row, wide)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def _cell(cell, width):
    return str(cell).ljust(width)
