"""`.github/regreen.yml`: what it may say, and what is told of every mistake in it."""

from __future__ import annotations

import pytest

from bot.errors import Refused
from bot.gate.protected import covers
from bot.policy import GatePolicy, Policy, read


@pytest.mark.parametrize(
    "data", [None, b"", b"# nothing yet\n", b"gate: {}\n"], ids=["absent", "empty", "comment", "bare"]
)
def test_no_file_and_an_empty_file_are_the_defaults(data):
    assert read(data) == Policy()


def test_every_key_is_read():
    text = b"""
gate:
  protect: ["golden/**", "*.sql"]
  dependencies: true
  max-files: 3
  max-lines: 40
  repeats: 3
  layers:
    sabotage: advisory
    canaries: off
    facts: on
"""
    assert read(text).gate == GatePolicy(
        **{
            "protect": ("golden/**", "*.sql"),
            "dependencies": True,
            "max-files": 3,
            "max-lines": 40,
            "repeats": 3,
            "layers": {"sabotage": "advisory", "canaries": "off", "facts": "on"},
        }
    )


@pytest.mark.parametrize(
    ("path", "covered"),
    [("golden/a/b.txt", True), ("db/schema.sql", True), ("src/golden.py", False), ("src/app.py", False)],
)
def test_patterns_work_as_in_gitignore(path, covered):
    options = read(b'gate: {protect: ["golden/**", "*.sql"]}').gate.options()
    assert covers(options.protected, path) is covered


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gates: {}", "there is no key 'gates'. Did you mean 'gate'?"),
        ("gate: {max_files: 3}", "there is no key 'max_files' under 'gate'. Did you mean 'max-files'?"),
        ("gate: {zebra: 3}", "there is no key 'zebra' under 'gate'. Known are: protect, dependencies"),
        ("gate: {max-files: many}", "gate.max-files: input should be a valid integer"),
        ("gate: {max-files: 0}", "gate.max-files: input should be greater than or equal to 1"),
        ("gate: {repeats: 1}", "gate.repeats: input should be greater than or equal to 2"),
        ("gate: {protect: 'a'}", "gate.protect: input should be a valid tuple"),
        ("gate: {protect: ['!a']}", "what is protected stays protected"),
        ("gate: {protect: ['[z-a]']}", "gate.protect: it holds no pattern that can be read"),
        ("gate: {protect: ['[[:foo:]]']}", "gate.protect: it holds no pattern that can be read"),
        ("gate: {protect: ['" + "a" * 60000 + "']}", "gate.protect.0: string should have at most 300 characters"),
        ("triggers: {branches: ['!']}", "triggers.branches: it holds no pattern that can be read"),
        ("triggers: {branches: ['a\\']}", "triggers.branches: it holds no pattern that can be read"),
        ("triggers: {branches: ['[z-a]']}", "triggers.branches: it holds no pattern that can be read"),
        ("gate: {dependencies: some}", "gate.dependencies: input should be a valid boolean"),
        ("gate: {layers: {tests: off}}", "the layer 'tests' cannot be switched"),
        ("gate: {layers: {structure: advisory}}", "the layer 'structure' cannot be switched"),
        ("gate: {layers: {flakes: off}}", "the layer 'flakes' cannot be switched"),
        ("gate: {layers: {canaryes: off}}", "there is no layer 'canaryes'. Did you mean 'canaries'?"),
        ("gate: {layers: {facts: sometimes}}", "gate.layers.facts: input should be 'on', 'advisory' or 'off'"),
        ("- gate", "it holds no mapping"),
        ("gate:\n  repeats: 2\n  repeats: 3", "line 3: the key 'repeats' stands there twice"),
        ("gate: &a {}\nother: *a", "line 2: aliases are not read here"),
        ("gate: !!python/object/apply:os.system [ls]", "line 1: could not determine a constructor"),
        ("gate: [", "line 1: "),
        ("a: " + "[" * 50, "nested too deeply"),
        ("? [a, b]\n: c", "line 1: a key must be a word"),
        ("gate: {max-lines: " + "9" * 5000 + "}", "cannot be used"),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_its_place_and_a_remedy(text, said):
    with pytest.raises(Refused) as refused:
        read(text.encode())
    assert str(refused.value).startswith(".github/regreen.yml cannot be used: ")
    assert said in str(refused.value)
    assert refused.value.remedy


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"gate: {}\n" + b"#" * 70_000, b"gate: \x00"], ids=["bytes", "large", "nul"]
)
def test_bytes_that_are_no_text_are_refused(data):
    with pytest.raises(Refused, match=r"regreen\.yml cannot be used"):
        read(data)


def test_the_gate_gets_what_the_repository_asks_for():
    text = b"gate: {max-lines: 7, repeats: 4, layers: {sabotage: advisory, canaries: off, facts: on}}"
    options = read(text).gate.options()
    assert (options.max_changed_lines, options.repeats) == (7, 4)
    assert (options.off, options.advisory) == ({"canaries"}, {"sabotage"})
