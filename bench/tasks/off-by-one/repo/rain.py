"""Command line: prints how wet the days in a log were."""

import sys

from readings import read
from series import longest_run, moving_average


def summary(lines, window=7):
    """Return the text that is printed for a log."""
    amounts = [amount for _, amount in read(lines)]
    dry = longest_run(amounts, lambda amount: amount == 0)
    text = f"{len(amounts)} days, {sum(amounts):.1f} mm, longest dry spell {dry} days"
    averages = moving_average(amounts, window)
    if averages:
        text += f", wettest {window} days {max(averages) * window:.1f} mm"
    return text


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as log:
        print(summary(log))
