"""What looks like a secret, or is a known one in any usual spelling, never leaves in clear."""

from __future__ import annotations

import base64
import secrets as random
import urllib.parse

import pytest
from factories import make_evidence
from hypothesis import given
from hypothesis import strategies as st

from bot import escape, redaction, wording
from bot.nouns import TestChange


def fake(alphabet: str, length: int) -> str:
    return "".join(random.choice(alphabet) for _ in range(length))


WORD = "ABCDEFabcdef0123456789"
FAKES = {
    "github-token": f"ghs_{fake(WORD, 36)}",
    "model-key": f"sk-ant-{fake(WORD, 40)}",
    "google-key": f"AIza{fake(WORD, 35)}",
    "aws-key": f"AKIA{fake('ABCDEF0123456789', 16)}",
    "google-token": f"ya29.{fake(WORD, 40)}",
    "slack-webhook": f"https://hooks.slack.com/services/{fake(WORD, 9)}/{fake(WORD, 24)}",
    "sendgrid-key": f"SG.{fake(WORD, 22)}.{fake(WORD, 43)}",
    "twilio-key": f"SK{fake('abcdef0123456789', 32)}",
    "telegram-token": f"1234567890:AA{fake(WORD, 33)}",
    "digitalocean-token": f"dop_v1_{fake('abcdef0123456789', 64)}",
    "gitlab-token": f"glpat-{fake(WORD, 20)}",
    "slack-token": f"xoxb-{fake(WORD, 24)}",
    "stripe-key": f"sk_live_{fake(WORD, 24)}",
    "npm-token": f"npm_{fake(WORD, 36)}",
    "pypi-token": f"pypi-AgEI{fake(WORD, 40)}",
    "hugging-face-token": f"hf_{fake(WORD, 34)}",
    "json-web-token": f"eyJ{fake(WORD, 20)}.eyJ{fake(WORD, 20)}.{fake(WORD, 20)}",
    "private-key": f"-----BEGIN RSA PRIVATE KEY-----\n{fake(WORD, 64)}\n-----END RSA PRIVATE KEY-----",
    "password-in-address": f"user:{fake(WORD, 12)}",
}


@pytest.mark.parametrize("kind", FAKES)
def test_what_looks_like_a_secret_is_replaced_by_its_kind(kind: str) -> None:
    text = (
        f"before https://{FAKES[kind]}@host after" if kind == "password-in-address" else f"before {FAKES[kind]} after"
    )
    cleaned = redaction.clean(text)
    assert f"[REDACTED:{kind}]" in cleaned
    assert FAKES[kind] not in cleaned
    assert cleaned.startswith("before ")


def test_every_shape_has_a_fake() -> None:
    assert set(FAKES) == set(redaction._SHAPES)


def test_the_stateless_token_is_left_out_whole() -> None:
    token = f"ghs_123456_{fake(WORD, 200)}.{fake(WORD, 200)}.{fake(WORD + '-_', 80)}x"
    assert redaction.clean(f"a {token} b") == "a [REDACTED:github-token] b"


@pytest.mark.parametrize(
    "text", ["task-runner-name-with-many-words", "ghs_short", "http://host/path", "eyJ.eyJ.x", "AKIA"]
)
def test_ordinary_words_stay(text: str) -> None:
    assert redaction.clean(text) == text


@given(st.text(alphabet=WORD + "+/=!_", min_size=16, max_size=60), st.binary(max_size=7), st.binary(max_size=7))
def test_a_known_secret_is_found_in_every_encoding(value: str, before: bytes, after: bytes) -> None:
    redaction.learn(value)
    data = before + value.encode() + after
    for text in (
        value,
        urllib.parse.quote(value, safe=""),
        value.encode().hex(),
        value[::-1],
    ):
        assert text not in redaction.clean(f"x{text}y")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        found = redaction.clean(encode(data).decode())
        assert "[REDACTED" in found


def test_each_line_of_a_key_is_a_secret_but_its_frame_is_not() -> None:
    line = fake(WORD, 64)
    redaction.learn(f"-----BEGIN PUBLIC KEY-----\n{line}\n-----END PUBLIC KEY-----")
    assert redaction.clean(f"got {line}") == "got [REDACTED]"
    assert redaction.clean("-----BEGIN PUBLIC KEY-----") == "-----BEGIN PUBLIC KEY-----"


def test_strings_deep_in_data_are_clean_and_the_rest_is_kept() -> None:
    token = FAKES["github-token"]
    data = {"a": [token, 1, None, True], "b": {"c": ("x", f"y {token}")}}
    assert redaction.cleaned(data) == {
        "a": ["[REDACTED:github-token]", 1, None, True],
        "b": {"c": ["x", "y [REDACTED:github-token]"]},
    }


def test_a_long_hostile_text_is_cleaned_in_linear_time() -> None:
    """Doubling the text must not quadruple the work: counted as matches tried, by a run that would not end otherwise."""
    for text in ("-----BEGIN " * 100_000, "eyJ" * 300_000, "://" * 300_000, "sk-" * 300_000, "a" * 1_000_000):
        assert redaction.clean(text)


def test_a_secret_is_left_out_before_it_is_escaped_or_cut() -> None:
    """As Markdown, or by halves, it would not be recognised any more, and still be readable on the page."""
    secret = "a_secret*with~signs|of<Markdown>" * 6
    redaction.learn(secret)
    try:
        assert escape.prose(f"key {secret}.") == "key &#91;REDACTED&#93;."
        assert escape.cell(f"key {secret}.") == "`key [REDACTED].`"
        assert escape.fence(f"key \x1b[1m{secret[:20]}\x1b[0m{secret[20:]}").splitlines()[1] == "key [REDACTED]"
        assert (
            wording.pull_title(make_evidence(tests=(TestChange(f"t.py::{secret}", "failed", "passed"),))).count(
                "secret"
            )
            == 0
        )
    finally:
        redaction.forget(secret)
