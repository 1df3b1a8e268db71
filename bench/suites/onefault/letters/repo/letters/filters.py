"""What can be done to a value before it is put into a text."""


def upper(value):
    return str(value).upper()


def title(value):
    """First letters in capitals, the others as they are."""
    return " ".join(word[:1].upper() + word[1:] for word in str(value).split(" "))


def money(value):
    """1234.5 -> 1,234.50"""
    return f"{value:,.2f}"


def listed(values):
    """["a", "b", "c"] -> a, b and c"""
    values = [str(value) for value in values]
    if len(values) < 2:
        return "".join(values)
    return ", ".join(values[:-1]) + " and " + values[-1]


def short(value, length=20):
    """At most 20 signs, three dots at the end where something was cut."""
    text = str(value)
    return text if len(text) <= length else text[: length - 3] + "..."


def quoted(value):
    """In quotes, with backslashes before quotes and backslashes."""
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def plural(count):
    """The ending for so many things."""
    return "" if count == 1 else "s"


FILTERS = {
    "upper": upper,
    "title": title,
    "money": money,
    "list": listed,
    "short": short,
    "quote": quoted,
    "s": plural,
}
