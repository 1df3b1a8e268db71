"""Who may open a table that is locked."""


class Refused(ValueError):
    """A card that opens nothing."""


def holder(card, word):
    """Name on a card `name:word`, of letters and blanks; Refused where either does not fit."""
    name, _, said = card.partition(":")
    if not name.isalpha():
        raise Refused("name")
    if said != word:
        raise Refused("word")
    return name
