"""Topics and patterns."""

from functools import lru_cache


def check(pattern):
    """Raises ValueError for a pattern with empty words, or with # elsewhere than at its end."""
    words = pattern.split(".")
    if not all(words):
        raise ValueError(f"{pattern!r} has an empty word")
    if "#" in words[:-1]:
        raise ValueError(f"{pattern!r} has a # in the middle")


@lru_cache(maxsize=1024)
def matches(pattern, topic):
    """Whether a topic is one of those that a pattern means."""
    wanted, given = pattern.split("."), topic.split(".")
    if wanted[-1] == "#":
        wanted = wanted[:-1]
        if len(given) < len(wanted):
            return False
        given = given[: len(wanted)]
    return len(wanted) == len(given) and all(one in ("*", other) for one, other in zip(wanted, given))
