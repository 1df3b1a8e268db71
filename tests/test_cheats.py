"""The suite of cheats is what it claims: cheats are wrong elsewhere and fool plain rules, look-alikes are right."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from factories import write

from bench import cheats
from bench.cheats import Case
from bench.proof import Prover, files, prover
from bot.errors import Refused
from bot.gate.layers import facts, structure
from bot.nouns import Patch

SUITE = cheats.load()
CHEATS = [case for case in SUITE.cases if not case.honest]
HONEST = [case for case in SUITE.cases if case.honest]
ABREAST = 2
SAMPLED = 6
"""Every sixth case is also run by a plain pytest, and the next one the next time that a case is added."""


@pytest.fixture(scope="module")
def proofs(bubblewrap_sandbox) -> Prover:
    return prover(bubblewrap_sandbox, SUITE.hosts)


def names(cases) -> list[str]:
    return sorted(case.name for case in cases)


def test_there_are_enough_cases_of_every_kind():
    assert len(CHEATS) >= 90
    assert len(HONEST) >= 45
    assert len(SUITE.hosts) >= 15
    kinds = Counter(case.kind for case in SUITE.cases)
    assert kinds.keys() == SUITE.kinds.keys()
    assert len({case.kind for case in CHEATS}) >= 15
    assert not {case.kind for case in CHEATS} & {case.kind for case in HONEST}


def test_every_host_has_a_fix_that_a_person_would_write():
    assert {case.host.name for case in HONEST} == {host.name for host in SUITE.hosts}
    assert {case.host.name for case in CHEATS} == {host.name for host in SUITE.hosts}


def test_every_cheat_names_layers_that_should_have_an_answer():
    assert names(case for case in CHEATS if not case.layers) == []
    assert names(case for case in HONEST if case.layers) == []
    named = Counter(layer for case in CHEATS for layer in case.layers)
    assert named.keys() >= {"structure", "facts", "tests", "canaries", "sabotage", "replay", "probe"}


def test_only_few_cases_may_be_left_to_a_person():
    assert sum("needs-review" in case.allowed for case in HONEST) <= 0.1 * len(HONEST)
    assert sum("needs-review" in case.allowed for case in CHEATS) <= 0.3 * len(CHEATS)


def test_hosts_are_wrong_without_a_patch(proofs):
    with ThreadPoolExecutor(ABREAST) as pool:
        given = list(pool.map(lambda host: proofs.answers(host, Patch({})), SUITE.hosts))
    for host, answers in zip(SUITE.hosts, given, strict=True):
        wrong = [one for one, right in host.answers.items() if answers[one] != right]
        assert len(wrong) >= 2, f"{host.name} needs answers that are wrong today"


def test_every_cheat_is_wrong_where_nothing_tests_it_and_every_honest_fix_is_right(proofs):
    with ThreadPoolExecutor(ABREAST) as pool:
        right = dict(zip(names_in_order(), pool.map(proofs.right, SUITE.cases), strict=True))
    assert {name for name, is_right in right.items() if is_right} == {case.name for case in HONEST}


def names_in_order() -> list[str]:
    return [case.name for case in SUITE.cases]


def test_plain_rules_are_fooled_as_the_cases_say(proofs):
    sample = SUITE.cases[len(SUITE.cases) % SAMPLED :: SAMPLED]
    with ThreadPoolExecutor(ABREAST) as pool:
        fooled = {case.name: rules for case, rules in zip(sample, pool.map(proofs.fooled, sample), strict=True)}
    assert fooled == {case.name: case.fools for case in sample}


def test_most_cheats_fool_a_plain_rule():
    assert sum(bool(case.fools) for case in CHEATS) >= 0.75 * len(CHEATS)
    assert sum("targets" in case.fools for case in CHEATS) >= 0.5 * len(CHEATS)


def shape(case: Case) -> list[str]:
    """Reason codes of the layer that looks at the patch's shape."""
    tests = {target.partition("::")[0] for target in case.host.failing if not target.startswith("roman/")}
    found = structure.shape(case.patch, files(case.host), test_files=tests)
    return [reason.code for reason in found if reason.hard]


def test_shape_of_honest_fixes_is_never_refused():
    assert {case.name: shape(case) for case in HONEST if shape(case)} == {}


def suspicion(case: Case) -> list[bool]:
    return [reason.hard for reason in facts.added(case.patch, files(case.host))]


def test_facts_of_honest_fixes_are_never_hard():
    assert names(case for case in HONEST if any(suspicion(case))) == []


MINIMAL = {
    "cheats.toml": 'title = "T"\n[kinds]\nplain = "P."\n',
    "host/repo/a.py": "A = 1\nB = 1\n",
    "host/host.toml": 'says = "S."\nfailing = ["t"]\n[answers]\na = "1"\nb = "1"\nc = "1"\nd = "1"\n',
}
CASE = '[[cases]]\nid = "one"\nkind = "plain"\nsays = "S."\nfile = "a.py"\n'


def load(folder: Path, cases: str, **more: str) -> cheats.Cheats:
    write(folder, {**MINIMAL, "host/cheats.toml": cases, **more})
    return cheats.load(folder)


def test_edits_of_a_case_are_laid_one_over_the_other(tmp_path):
    also = '[[cases.also]]\nfile = "a.py"\nold = "A = 2"\nnew = "A = 3"\n[[cases.also]]\nfile = "b"\nbase64 = "AP8="\nmode = "120000"\n'
    case = load(tmp_path, CASE + 'old = "A = 1"\nnew = "A = 2"\n' + also).cases[0]
    assert case.patch == Patch({"a.py": b"A = 3\nB = 1\n", "b": b"\x00\xff"}, {"b": "120000"})
    assert case.allowed == ("rejected",)


@pytest.mark.parametrize(
    ("cases", "complaint"),
    [
        pytest.param(CASE + 'old = "= 1"\nnew = ""\n', "stands 2 times", id="ambiguous"),
        pytest.param(CASE + 'old = "C"\nnew = ""\n', "stands 0 times", id="absent"),
        pytest.param(CASE.replace("a.py", "c.py") + 'old = "C"\n', "not in repo/", id="no such file"),
        pytest.param(CASE, "must give a.py one of", id="no change"),
        pytest.param(CASE + 'text = ""\ndelete = true\n', "must give a.py one of", id="two changes"),
        pytest.param(CASE + 'base64 = "!"\n', "base64 of one cannot be read", id="base64"),
        pytest.param(CASE.replace("plain", "new") + "delete = true\n", "does not know the kind new", id="kind"),
        pytest.param(2 * (CASE + "delete = true\n"), "one stands there twice", id="twice"),
        pytest.param(CASE + 'delete = true\nlayers = ["x"]\n', "does not fit", id="layer"),
        pytest.param(CASE + "delete = true\nsurely = 1\n", "does not fit", id="key"),
    ],
)
def test_broken_case_is_refused_with_its_reason(tmp_path, cases, complaint):
    with pytest.raises(Refused) as refused:
        load(tmp_path, cases)
    assert complaint in refused.value.cause
