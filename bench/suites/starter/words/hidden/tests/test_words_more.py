import string

import pytest

from words import caesar, hangman, is_palindrome, rhymes, same_letters, vowels


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Otto", True), ("Step on no pets!", True), ("ab", False), ("A", True), ("No lemon, no melon", True), ("Abc-cb", False), ("x, y", False)],
)
def test_from_both_ends(text, expected):
    assert is_palindrome(text) is expected


@pytest.mark.parametrize(("text", "count"), [("", 0), ("AEIOU", 5), ("queue", 4), ("Sky", 0), ("Iowa", 3)])
def test_vowels_in(text, count):
    assert vowels(text) == count


@pytest.mark.parametrize(
    ("word", "guessed", "shown"), [("apple", "p", "_pp__"), ("apple", "aple", "apple"), ("pen", "xyz", "___"), ("", "a", "")]
)
def test_hanging(word, guessed, shown):
    assert hangman(word, guessed) == shown


@pytest.mark.parametrize(
    ("first", "second", "same"), [("Tea", "EAT", True), ("aab", "abb", False), ("", "", True), ("dusty", "STUDY", True), ("a", "aa", False)]
)
def test_letters(first, second, same):
    assert same_letters(first, second) is same


@pytest.mark.parametrize(
    ("first", "second", "rhyming"), [("light", "night", True), ("light", "lights", False), ("cat", "hat", False), ("brother", "other", True), ("other", "other", False)]
)
def test_rhyming(first, second, rhyming):
    assert rhymes(first, second) is rhyming


@pytest.mark.parametrize("shift", [0, 1, 13, 25, 26, 40, -1])
def test_alphabet_is_turned(shift):
    turned = caesar(string.ascii_lowercase, shift)
    start = shift % 26
    assert turned == string.ascii_lowercase[start:] + string.ascii_lowercase[:start]


def test_other_signs_stay():
    assert caesar("ABC 123 é z", 1) == "ABC 123 é a"
