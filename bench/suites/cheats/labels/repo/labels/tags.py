"""Tags of an article."""


def tags(text, sep=","):
    """Tags of a line in small letters, without blanks and hash signs around them."""
    return [part.strip().lower() for part in text.split(sep)]


def listed(text):
    """The same for people to read."""
    return " and ".join(tags(text))
