"""Headlines: slugs for addresses, cuts for teasers, initials for avatars."""

import re
import unicodedata

SMALL_WORDS = frozenset({"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"})


def slug(title, limit=40):
    """Lower-case ASCII words of the title, joined by hyphens: as many as fit into `limit` characters."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    words = re.findall(r"[a-z0-9]+", plain.lower())
    taken = ""
    for word in words:
        longer = f"{taken}-{word}" if taken else word
        if len(longer) > limit:
            break
        taken = longer
    return taken


def teaser(text, limit):
    """The text, or as many whole words as fit into `limit` characters together with an ellipsis."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    head = text[:limit].rpartition(" ")[0]
    return head.rstrip(" ,;:") + "…"


def title_case(title):
    """Capitalise every word, but small words only at the beginning and at the end."""
    words = title.lower().split()
    last = len(words) - 1
    return " ".join(
        word if word in SMALL_WORDS and 0 < place < last else word[:1].upper() + word[1:]
        for place, word in enumerate(words)
    )


def initials(name):
    """First letters of the first and the last word of a name, in capitals; empty for an empty name."""
    words = name.split()
    if not words:
        return ""
    letters = words[0][0] + (words[-1][0] if len(words) > 1 else "")
    return letters.upper()


def count_words(text):
    """How often each word stands in the text, whatever its case."""
    counts = {}
    for word in re.findall(r"[\w']+", text.lower()):
        counts[word] = counts.get(word, 0) + 1
    return counts
