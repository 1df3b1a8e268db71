"""Helpers for an evening with pen and paper."""

VOWELS = "aeiou"


def is_palindrome(text):
    """Whether the letters read the same from both ends; capitals, blanks and signs do not count."""
    letters = [sign.lower() for sign in text if sign.isalpha()]
    return letters == letters[::-1]


def vowels(text):
    """Return how many vowels there are, small and capital ones."""
    return sum(1 for sign in text.lower() if sign in VOWELS)


def hangman(word, guessed):
    """Return the word with a line for every letter that nobody has guessed yet."""
    shown = ""
    for letter in word:
        shown += letter if letter in guessed else "_"
    return shown


def same_letters(first, second):
    """Whether one word can be made from all letters of the other."""
    return sorted(first.lower()) == sorted(second.lower())


def rhymes(first, second):
    """Whether two different words end in the same three letters."""
    return first != second and first[-3:] == second[-3:]


def caesar(text, shift):
    """Return the text with each small letter moved on in the alphabet; everything else stays."""
    moved = ""
    for sign in text:
        if "a" <= sign <= "z":
            moved += chr((ord(sign) - ord("a") + shift) % 26 + ord("a"))
        else:
            moved += sign
    return moved
