import pytest

from letters import filters
from letters.template import Letter, Reminder, TemplateError, fields, render


def test_fields_are_replaced():
    assert render("Hello {name}, you are {age}.", {"name": "Ada", "age": 36}) == "Hello Ada, you are 36."


def test_numbers_and_words_in_one_text():
    assert render("{street} {number}, {floor}", {"street": "Elm", "number": 7, "floor": 1}) == "Elm 7, 1"


def test_braces():
    assert render("a {{name} b", {"name": "x"}) == "a {name} b"


def test_filters_in_a_row():
    assert render("{name|title|quote}", {"name": "ada king"}) == '"Ada King"'
    assert render("{n} book{n|s}", {"n": 2}) == "2 books"


def test_unknown_field():
    with pytest.raises(TemplateError, match="unknown field nmae"):
        render("{nmae}", {"name": "x"})
    assert render("{nmae}!", {}, missing="?") == "?!"
    assert render("{nmae}!", {}, missing="") == "!"


def test_unknown_filter():
    with pytest.raises(TemplateError, match="unknown filter loud"):
        render("{name|loud}", {"name": "x"})


def test_names_of_fields():
    assert fields("{b} {a|upper} {{c} {b}") == ["b", "a"]


@pytest.mark.parametrize(
    "name, value, expected",
    [
        ("upper", "abc", "ABC"),
        ("title", "the iPhone", "The IPhone"),
        ("money", 1234.5, "1,234.50"),
        ("list", ["a", 2, "c"], "a, 2 and c"),
        ("list", ["a"], "a"),
        ("list", [], ""),
        ("short", "x" * 20, "x" * 20),
        ("short", "x" * 21, "x" * 17 + "..."),
        ("quote", 'a"b\\c', '"a\\"b\\\\c"'),
        ("s", 1, ""),
        ("s", 0, "s"),
    ],
)
def test_filters(name, value, expected):
    assert filters.FILTERS[name](value) == expected


def test_letter():
    letter = Letter("\nthe {thing} is here.\n", sender="Bob", thing="saw")
    assert letter.text(name="Ada") == "Dear Ada,\n\nthe saw is here.\n\nYours,\nBob"
    assert "the axe is here" in letter.text(name="Ada", thing="axe")


def test_letters_for_all():
    letters = Letter("{town}", sender="Bob", town="Ulm").for_all([{"name": "Ada"}, {"name": "Eve", "town": "Bonn"}])
    assert list(letters) == ["Ada", "Eve"]
    assert "Ulm" in letters["Ada"]
    assert "Bonn" in letters["Eve"]


def test_letters_for_all_of_a_list():
    customers = [
        {"name": "Ida", "sum": 12.5, "until": "2 May", "street": "Mill Lane 3"},
        {"name": "Jan", "sum": 980, "until": "9 May", "street": "Dock 41"},
        {"name": "Kim", "sum": 7, "until": "30 June", "street": "Quay 8"},
    ]
    letters = Letter("{street}: {sum|money} until {until}.", sender="Mo").for_all(customers)
    assert letters["Jan"] == "Dear Jan,\n\nDock 41: 980.00 until 9 May.\n\nYours,\nMo"
    assert [text.splitlines()[2] for text in letters.values()] == [
        "Mill Lane 3: 12.50 until 2 May.", "Dock 41: 980.00 until 9 May.", "Quay 8: 7.00 until 30 June.",
    ]  # fmt: skip


def test_reminders_are_counted_by_person():
    reminder = Reminder("Pay {sum|money}.", sender="Bob", sum=5)
    assert reminder.text(name="Ada").startswith("Reminder 1\n\nDear Ada,\n\nPay 5.00.")
    assert reminder.text(name="Eve").startswith("Reminder 1\n")
    assert reminder.text(name="Ada").startswith("Reminder 2\n")


@pytest.mark.parametrize(
    "body, values, expected",
    [
        ("The {thing} of {day} is still out.", {"thing": "atlas", "day": "3 May", "sender": "Library"}, "The atlas of 3 May is still out."),
        ("{sum|money} for {room} is due.", {"sum": 980, "room": "Room 12", "sender": "Mo"}, "980.00 for Room 12 is due."),
        ("Bring {things|list}, {day}.", {"things": ["rope", "lamp"], "day": "Friday", "sender": "Kim"}, "Bring rope and lamp, Friday."),
    ],
    ids=["library", "rent", "trip"],
)  # fmt: skip
def test_reminder_is_a_whole_letter(body, values, expected):
    text = Reminder(body, **values).text(name="Ida")
    assert text == f"Reminder 1\n\nDear Ida,\n\n{expected}\n\nYours,\n{values['sender']}"
