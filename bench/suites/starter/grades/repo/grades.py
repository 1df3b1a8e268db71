"""What a teacher works out at the end of term. Points go from 0 to 100."""

PASS_MARK = 50
LETTERS = [(90, "A"), (80, "B"), (65, "C"), (50, "D")]


def passed(points):
    """Whether these points are enough; the pass mark itself is."""
    return points >= PASS_MARK


def letter(points):
    """Return the letter for these points, F below all others."""
    for least, name in LETTERS:
        if points >= least:
            return name
    return "F"


def term_mark(points):
    """Return the mean of a student's tests without the worst one. A single test counts."""
    if len(points) == 1:
        return points[0]
    counted = sorted(points)[1:]
    return sum(counted) / len(counted)


def best_student(results):
    """Return the name with the most points, of a dict from name to points."""
    best = None
    for name, points in results.items():
        if best is None or points > results[best]:
            best = name
    return best
