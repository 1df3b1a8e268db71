import pytest

from words import caesar, hangman, is_palindrome, rhymes, same_letters, vowels


@pytest.mark.parametrize("text", ["level", "Never odd or even", "", "Was it a car or a cat I saw?"])
def test_palindromes(text):
    assert is_palindrome(text)


def test_no_palindrome():
    assert not is_palindrome("levels")


def test_vowels():
    assert vowels("Aunt Eliza") == 5


def test_word_without_vowels():
    assert vowels("rhythm") == 0


def test_hangman():
    assert hangman("balloon", "lo") == "__lloo_"


def test_hangman_in_the_beginning():
    assert hangman("tree", "") == "____"


def test_same_letters():
    assert same_letters("Listen", "silent")


def test_one_letter_too_many():
    assert not same_letters("night", "things")


def test_rhymes():
    assert rhymes("station", "nation")
    assert not rhymes("station", "stations")


def test_word_does_not_rhyme_with_itself():
    assert not rhymes("nation", "nation")


def test_caesar():
    assert caesar("ave caesar", 3) == "dyh fdhvdu"


def test_caesar_goes_round():
    assert caesar("xyz!", 3) == "abc!"


def test_caesar_and_back():
    assert caesar(caesar("veni, vidi, vici", 7), -7) == "veni, vidi, vici"
