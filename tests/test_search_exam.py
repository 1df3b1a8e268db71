"""Survivors on fresh inputs: what counts as the same behaviour, and which group is proposed first."""

from __future__ import annotations

import copy
import enum
import importlib
import random
from collections import OrderedDict
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from bot.engines.search.inside.belief.behaviour import Teller, outcome
from bot.engines.search.inside.belief.chance import BLIND
from bot.engines.search.inside.belief.clusters import SAME_WAY, clustered, doubt, inserted, sure, telling_reds
from bot.engines.search.inside.belief.examined import Examined
from bot.engines.search.inside.belief.inputs import Call, CallRecorder, fresh_calls, is_for_others
from bot.engines.search.inside.belief.named import named_values, with_named
from bot.engines.search.inside.belief.natural import signs, unnaturalness
from bot.engines.search.inside.belief.near import near
from bot.engines.search.inside.belief.returns import Returns
from bot.engines.search.inside.frontier import Candidate, Frontier, Part
from bot.engines.search.inside.hints import Hints
from bot.engines.search.inside.live import Live
from bot.engines.search.inside.places import Place, Survey
from bot.engines.search.inside.trace import Paths

CODE = b'''
LIMIT = 10


def clipped(value, low, high):
    """The value, at least low and at most high."""
    if value < low:
        return low
    return min(value, LIMIT)
'''


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def candidates() -> dict[str, Candidate]:
    """All candidates for CODE by the text they leave behind."""
    survey = Survey({"clip.py": CODE}, Hints([], {}, {}, {}))
    source = survey.source("clip.py")
    assert source is not None
    frontier = Frontier([Place(site, 1.0) for site in survey.sites(source)])
    found = {}
    while (candidate := frontier.next()) is not None:
        text = CODE
        for start, end, new in sorted(candidate.files()["clip.py"], reverse=True):
            text = text[:start] + new.encode() + text[end:]
        found.setdefault(text.decode(), candidate)
    return found


def edited(old: str, new: str) -> Candidate:
    return candidates()[CODE.decode().replace(old, new)]


@pytest.mark.parametrize(
    "one, other",
    [
        (Point(1, [2]), Point(1, [2])),
        ({3, 1, 2}, {2, 3, 1}),
        (0.1 + 0.2, 0.3),
        ((n for n in (1, 2)), (n for n in [1, 2])),
        (iter([1, 2]), iter([1, 2])),
        (date(2024, 2, 29), date(2024, 2, 29)),
    ],
)
def test_same_values_are_told_in_the_same_words(one, other):
    assert Teller().told(one) == Teller().told(other)


@pytest.mark.parametrize(
    "one, other",
    [
        (1, True),
        (1, 1.0),
        ([1], (1,)),
        (iter([1, 2]), iter([1])),
        (Point(1, 2), Point(1, 3)),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        (date(2024, 2, 28), date(2024, 2, 29)),
        ("1", 1),
    ],
)
def test_different_values_are_told_in_different_words(one, other):
    assert Teller().told(one) != Teller().told(other)


def test_iterator_over_a_list_is_told_without_being_used_up():
    value = iter([1, 2])
    assert Teller().told(value) and list(value) == [1, 2]


def test_value_that_holds_itself_is_told():
    value: list[object] = [1]
    value.append(value)
    assert "again" in Teller().told(value)


def test_outcome_is_result_and_what_became_of_the_arguments():
    def grow(values):
        values.append(1)
        return len(values)

    def refuse(values):
        raise KeyError(id(values))

    assert outcome(grow, ([],), {}) != outcome(grow, ([5],), {})
    assert outcome(refuse, ([],), {}) == outcome(refuse, ([],), {}), "messages may hold addresses"
    assert outcome(refuse, ([],), {})[0] == "error"


def test_outcome_of_a_coroutine_is_what_it_comes_to():
    async def later(value):
        return value + 1

    assert outcome(later, (1,), {}) == ("ok", outcome(lambda value: value + 1, (1,), {})[1])


def test_fresh_calls_are_near_the_tests_own_and_leave_those_alone():
    call = Call(("clip.py", 4, "clipped"), clipped_by_hand, (5, [1, 2], "ab"), {}, fresh=False)
    found = fresh_calls([call], most=10)
    assert found[0] == call and call.args == (5, [1, 2], "ab")
    assert any(other.args != call.args for other in found[1:]) and all(other.fresh for other in found[1:])
    assert [other.args for other in found] == [other.args for other in fresh_calls([call], most=10)]


def test_calls_of_tests_leave_half_of_the_room_to_fresh_inputs():
    keys = [("clip.py", line, "clipped") for line in (1, 2)]
    calls = [Call(key, clipped_by_hand, (n, 1, 9), {}, fresh=False) for key in keys for n in range(100)]
    found = fresh_calls(calls, most=40)
    assert sum(call.fresh for call in found) == 20 == sum(not call.fresh for call in found)
    assert {call.key for call in found if not call.fresh} == set(keys), "each function has its share"
    assert {call.key for call in found if call.fresh} == set(keys)


def clipped_by_hand(value, low, high):
    return max(low, min(value, high))


def _hidden(): ...


OFF = {"no", "off"}
STEPS = {"small": 3, "large": 40}


def switched(word, step=7):
    """Not this."""
    return word not in OFF and [one for one in STEPS if one != "none"] and step < 12.5


def test_values_that_the_code_names_are_those_of_its_tables_and_of_the_edits():
    named = named_values([switched], ["'maybe'", "99", "not a literal"])
    assert {"no", "off", "small", "large", "none", "maybe"} <= set(named[str])
    assert "Not this." not in named[str] and 12.5 in named[float] and 99 in named[int]


def test_fresh_inputs_hold_what_the_code_names():
    """An edit that forgets one entry of a table answers all other words as before."""
    call = Call(("s.py", 1, "switched"), switched, ("yes",), {}, fresh=False)
    asked = {other.args[0] for call in [call] * 8 for other in fresh_calls([call] * 20, most=100)}
    assert {"no", "off", "small"} <= asked


def test_fresh_inputs_have_arguments_that_are_equal():
    """There alone `<` and `<=` differ."""
    calls = [Call(("c.py", 1, "clipped"), clipped_by_hand, (n, 100 + n, 9), {}, fresh=False) for n in range(20, 40)]
    assert any(call.args[0] == call.args[1] for call in fresh_calls(calls, most=100))


def test_named_value_stands_for_one_of_its_type_alone():
    chance = random.Random(1)
    assert with_named(5, {str: ["no"]}, chance) == 5
    assert {with_named("x", {str: ["no"]}, chance) for _ in range(40)} == {"no", "NO", "no ", " no"}
    assert {tuple(with_named([1, 2], {int: [9]}, chance)) for _ in range(40)} >= {(9, 2), (1, 9)}


@pytest.mark.parametrize("make", [list, tuple])
def test_near_iterator_is_another_one_at_its_start(make):
    chance = random.Random(1)
    found = [list(near(iter(make([1, 2])), chance)) for _ in range(30)]
    assert [] in found and any(other not in ([1, 2], []) for other in found)


def test_near_dict_may_have_an_entry_more():
    chance = random.Random(1)
    assert max(len(near({"a": [1]}, chance)) for _ in range(30)) == 2


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


KINDS = [
    True,
    7,
    2.5,
    "text",
    b"data",
    [1, 2],
    (1, "a"),
    {"a": 1},
    {1, 2},
    Decimal("1.5"),
    Fraction(1, 3),
    Colour.RED,
]
MOMENTS = [date(2024, 2, 29), datetime(2024, 1, 31, 9, tzinfo=UTC), time(9, 30), timedelta(hours=2)]


def test_near_object_is_another_deep_inside():
    chance = random.Random(1)
    found = [near(copy.deepcopy(Point(object(), Point(1, 2))), chance) for _ in range(20)]
    assert any((point.y.x, point.y.y) != (1, 2) for point in found)


@pytest.mark.parametrize("value", [*KINDS, *MOMENTS], ids=repr)
def test_near_value_is_of_the_same_kind_and_soon_another(value):
    chance = random.Random(1)
    found = [near(copy.deepcopy(value), chance) for _ in range(20)]
    assert all(type(other) is type(value) for other in found)
    assert any(other != value for other in found)


def test_nothing_is_made_up_in_the_place_of_none():
    """A number where a text or nothing is meant only shows which survivor stumbles over it."""
    assert near(None, random.Random(1)) is None


def test_using_an_argument_that_nothing_read_is_natural():
    used, other = edited("LIMIT)", "high)"), edited("LIMIT)", "low)")
    assert (signs(used)["adopts"], signs(other)["adopts"]) == (1, 0)
    assert unnaturalness(signs(used)) < unnaturalness(signs(other))


def test_mentioning_less_than_before_is_unnatural():
    assert signs(edited("min(value, LIMIT)", "LIMIT"))["loses"] > 0
    assert signs(edited("LIMIT)", "low)"))["loses"] == 0


LOOP = b"""
def places(items):
    place = 0
    for number in items:
        place += 1
        seen = number
        whole = seen * place
    return place
"""


def looped(old: str, new: str) -> Candidate:
    """LOOP with a piece of it replaced."""
    survey = Survey({"loop.py": LOOP}, Hints([], {}, {}, {}))
    source = survey.source("loop.py")
    assert source is not None
    start = LOOP.index(old.encode())
    part = Part(next(iter(survey.sites(source))), ((start, start + len(old), new),))
    return Candidate((part,), 1.0, "update-missing", "", "", exact=True)


def test_setting_anew_in_each_round_what_the_loop_counts_on_is_unnatural():
    twice, instead = looped("seen = number", "place = number"), looped("place += 1", "place = number")
    assert (signs(twice)["overwrites"], signs(instead)["overwrites"]) == (1, 0)
    assert unnaturalness(signs(instead)) < unnaturalness(signs(twice))


def test_what_is_built_up_stands_in_front_as_people_write_it():
    front, behind = (
        looped("whole = seen * place", "seen = seen * place"),
        looped("whole = seen * place", "seen = place * seen"),
    )
    assert (signs(front)["folds"], signs(behind)["folds"]) == (1, 0)


WRAPPER = b"""
DAYS = {(1, 1): "New Year", (12, 25): "Christmas"}
SHORT = {"jan": 1}


def timed(function):
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        return result

    return wrapper
"""


def in_wrapper(old: str, new: str) -> dict[str, float]:
    source = Survey({"w.py": WRAPPER}, Hints([], {}, {}, {})).source("w.py")
    assert source is not None
    site = next(iter(Survey({"w.py": WRAPPER}, Hints([], {}, {}, {})).sites(source)))
    start = WRAPPER.index(old.encode())
    return signs(Candidate((Part(site, ((start, start + len(old), new),)),), 1.0, "", "", "", exact=True))


def test_wrapper_that_hands_on_something_else_than_it_got_is_unnatural():
    assert in_wrapper("function(*args, **kwargs)", 'function(*args, **kwargs) or ""')["tampers"] == 1
    assert in_wrapper("return result", "return result or 0")["tampers"] == 0


def test_asking_a_function_that_nothing_in_the_file_asked_is_natural():
    assert in_wrapper("return result", "return timed(result)")["employs"] == 1
    assert in_wrapper("return result", "return wrapper(result)")["employs"] == 0


def test_name_of_an_attribute_is_no_invented_literal():
    assert in_wrapper("return result", 'return getattr(function, "result")')["invents"] == 0
    assert in_wrapper("return result", 'return getattr(function, "outcome")')["invents"] == 1


def test_entry_of_a_table_that_comes_to_stand_for_another_number_is_unnatural():
    assert in_wrapper("25", "26")["renumbers"] == 1
    assert in_wrapper('"jan"', '"january"')["renumbers"] == 0
    assert in_wrapper('"Christmas"', '"Christmas", (12, 26): "Boxing"')["renumbers"] == 0


def test_another_literal_in_place_of_one_is_not_invented():
    assert signs(edited("LIMIT = 10", "LIMIT = 11"))["invents"] == 0


KEYS = b"""
def normal(name):
    return name.strip().casefold()


class Held:
    def put(self, name, value):
        self.held[normal(name)] = value

    def drop(self, name):
        self.held.pop(name)
        return len(name)

    def count(self, name):
        return len(self.held) + len(name.lower())
"""


def held(edit: tuple[str, str]) -> Candidate:
    survey = Survey({"held.py": KEYS}, Hints([], {}, {}, {}))
    source = survey.source("held.py")
    assert source is not None
    (site,) = [site for site in survey.sites(source) if "pop(name)" in site.text(site.stmt).split("\n")[0]]
    start = KEYS.index(b"pop(" + edit[0].encode()) + 4
    part = Part(site, ((start, start + len(edit[0]), edit[1]),))
    return Candidate((part,), 1.0, "call-wrapped", "", "", exact=True)


def counted(new: str) -> Candidate:
    """`len(self.held)` of KEYS as something else."""
    site = held(("name", "name")).parts[0].site
    start = KEYS.index(b"len(self.held)")
    part = Part(site, ((start, start + len("len(self.held)"), new),))
    return Candidate((part,), 1.0, "call-wrapped", "", "", exact=True)


def test_saying_what_the_file_says_elsewhere_is_natural():
    echo, other = held(("name", "normal(name)")), held(("name", "name.title()"))
    assert (signs(echo)["echoes"], signs(other)["echoes"]) == (1, 0)
    assert unnaturalness(signs(echo)) < unnaturalness(signs(other))


def test_a_builtin_that_is_called_elsewhere_too_is_no_way_of_the_project_to_say_things():
    assert signs(held(("name", "len(self.held)")))["echoes"] == 0


def examined(*vectors: str) -> Examined:
    """Answers as letters: the code as it is, twice, and then each survivor."""
    messages = [{"fresh": [True] * len(vectors[0])}]
    for number, vector in enumerate([vectors[0], *vectors], -2):
        kinds = "".join("e" if letter == "!" else "o" for letter in vector)
        messages.append({"n": number, "kinds": kinds, "marks": [ord(letter) for letter in vector]})
    return Examined(messages)


def test_answers_that_green_tests_got_and_get_no_more_are_told_apart_from_fresh_ones():
    told = examined("aaaa", "abab")
    told.fresh, told.green = [True, True, False, False], [False, False, True, True]
    signs = told.signs(0)
    assert signs is not None and (signs.changed, signs.inputs, signs.greens) == (0.5, 2, 2)
    assert signs.moved == pytest.approx(1 / 3), "one of two, and one more that is taken to stay"


def test_green_tests_in_which_something_else_comes_back_inside_count_as_moved():
    told = examined("aaaa", "aaaa", "aaaa")
    told.inner = {-2: [1, 2, 3, 9], -1: [1, 2, 3, 8], 0: [1, 5, 3, 7], 1: [1, 2, 3, 6]}
    assert [told.signs(number).moved for number in (0, 1)] == [pytest.approx(1 / 4), 0.0], "one test is not steady"


def test_what_comes_back_inside_is_known_of_survivors_that_cannot_be_asked():
    some = list(candidates().values())[:2]
    told = Examined([{"n": n, "inner": marks} for n, marks in ((-2, [1]), (-1, [1]), (0, [2]), (1, [1]))])
    best, _worse = clustered([(2.0, some[0]), (2.2, some[1])], told)
    assert best.members[0][1] is some[1] and best.share <= 0.75


CLOSED = """
def sorter(reverse):
    def key(item):
        return -item if reverse else item

    return lambda items: sorted(items, key=key)
"""


def test_values_that_closures_return_are_noted_while_a_test_runs(tmp_path, monkeypatch):
    (tmp_path / "closed_for_exam.py").write_text(CLOSED)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("closed_for_exam")
    returns = Returns(Paths(str(tmp_path), {"closed_for_exam.py"}), {("closed_for_exam.py", "key")})

    def seen(reverse, items):
        with returns:
            module.sorter(reverse)(items)
        return returns.seen()

    assert seen(False, [1, 2]) == seen(False, [2, 1, 1]) != seen(True, [1, 2])
    assert returns.events > 6


def test_without_fresh_inputs_the_own_ones_of_the_tests_say_what_changes():
    """Objects that cannot be changed a little: better those inputs than to take the survivor for unexamined."""
    told = examined("aaaa", "abab")
    told.fresh = [False] * 4
    signs = told.signs(0)
    assert signs is not None and (signs.changed, signs.inputs) == (0.5, 4)


def test_cases_that_run_the_same_lines_are_less_than_so_many_tests():
    one, other = {"s.py": [1, 2]}, {"s.py": [1, 3]}
    assert telling_reds([one, other]) == 2.0
    assert telling_reds([one, one, one, other]) == pytest.approx(2 + 2 * SAME_WAY)


def test_what_only_its_own_module_class_or_function_calls_is_not_for_others():
    def inner(): ...

    assert not is_for_others(inner) and is_for_others(switched) and not is_for_others(_hidden)
    assert is_for_others(Point.__init__)


def test_survivors_that_differ_only_inside_of_the_project_are_as_good_as_one():
    some = list(candidates().values())[:2]
    told = examined("aaaaaa", "bbbbax", "bbbbay")
    told.outer = [True] * 5 + [False]
    assert len(clustered([(2.0, some[0]), (2.2, some[1])], told)) == 1
    told.outer = [True] * 3 + [False] * 3
    assert len(clustered([(2.0, some[0]), (2.2, some[1])], told)) == 2, "too little shows outside"


def test_survivor_that_crashes_elsewhere_to_cure_a_crash_comes_later():
    some = list(candidates().values())[:2]
    told = examined("a" * 19 + "!", "!" + "a" * 19, "a" * 20)
    clusters = clustered([(2.0, some[0]), (2.5, some[1])], told, crash=True)
    assert clusters[0].members[0][1] is some[1]


def test_blind_edit_that_no_fresh_input_shows_is_believed_less():
    blind, narrow = edited("value < low", "value > low"), edited("value < low", "value <= low")
    assert blind.operator in BLIND
    (seen,) = clustered([(2.0, blind)], examined("a" * 30, "a" * 29 + "b"))
    (unseen,) = clustered([(2.0, blind)], examined("a" * 30, "a" * 30))
    (unasked,) = clustered([(2.0, blind)], examined("aaa", "aaa"))
    assert unseen.share < seen.share == pytest.approx(unasked.share, abs=0.01)
    (rare,) = clustered([(2.0, narrow)], examined("a" * 30, "a" * 30))
    assert rare.share == pytest.approx(seen.share, abs=0.01), "it shows only where two values are equal"


TURNED = b"""
def shares(values, unit):
    if not values:
        return []
    return [value / len(values) for value in values]
"""


@pytest.mark.parametrize(("before", "late"), [("if not values", 0), ("return [value", 1)])
def test_argument_that_is_made_ready_after_it_was_used_is_unnatural(before: str, late: int):
    source = Survey({"s.py": TURNED}, Hints([], {}, {}, {})).source("s.py")
    assert source is not None
    site = next(iter(Survey({"s.py": TURNED}, Hints([], {}, {}, {})).sites(source)))
    at = TURNED.index(before.encode())
    part = Part(site, ((at, at, "values = list(values)\n    "),))
    found = signs(Candidate((part,), 1.0, "conversion-missing", "", "", exact=True))
    assert found["late"] == late


def test_asking_the_text_of_a_thing_for_items_is_unnatural():
    assert signs(held(("name", "str(name)")))["texts"] == 0
    plain, text = counted("len(self.held)"), counted("len(str(self.held))")
    assert (signs(plain)["texts"], signs(text)["texts"]) == (0, 1)
    assert unnaturalness(signs(plain)) < unnaturalness(signs(text))


def test_agreement_puts_a_dearer_survivor_first():
    some = list(candidates().values())[:3]
    survivors = [(2.0, some[0]), (2.3, some[1]), (2.3, some[2])]
    clusters = clustered(survivors, examined("aaaa", "aabb", "aacc", "aacc"))
    assert [candidate for _cost, candidate in clusters[0].members] == some[1:]
    assert 0.4 < clusters[0].share < 0.8


def test_change_that_many_green_calls_withstand_is_believed_more():
    (one,) = [one for one in candidates().values() if one.operator not in BLIND][:1]
    few, many = examined("aaaa", "aaab"), examined("a" * 40, "a" * 39 + "b")
    few.green, many.green = [True, False, False, False], [True] * 39 + [False]
    few.fresh = many.fresh = [False] * 40
    (some,), (most,) = clustered([(5.0, one)], few), clustered([(5.0, one)], many)
    assert some.share < 0.5 < most.share
    (crash,) = clustered([(5.0, one)], many, crash=True)
    assert crash.share < 0.5, "a crash was to be cured, and something else has changed"
    cured = examined("a" * 39 + "!", "a" * 39 + "b")
    cured.green, cured.fresh = many.green, many.fresh
    (only,) = clustered([(5.0, one)], cured, crash=True)
    assert only.share > 0.5


def test_edits_of_one_statement_agree_less_than_edits_of_several():
    """Twenty ways to turn one condition off are one idea."""
    found = list(candidates().values())
    places = {id(one.site.stmt): one for one in found}
    apart = list(places.values())[:3]
    together = [one for one in found if one.site.stmt is apart[0].site.stmt][:3]
    told = examined("aaaa", "aabb", "aabb", "aabb")
    (one,) = clustered([(4.4, member) for member in together], told)
    (several,) = clustered([(4.4, member) for member in apart], told)
    assert len(apart) == len(together) == 3 and one.share < several.share


def test_survivors_whose_change_no_input_shows_do_not_agree():
    """That two do nothing where the red test does not look says of neither that it is right."""
    some = list(candidates().values())[:2]
    survivors = [(4.0, some[0]), (4.0, some[1])]
    (seen,) = clustered(survivors, examined("aaaa", "aabb", "aabb"))
    unseen = clustered(survivors, examined("aaaa", "aaaa", "aaaa"))
    assert len(unseen) == 2 and unseen[0].share < 0.5 < seen.share


def test_ways_to_write_a_copy_are_one_thing_though_no_input_shows_it():
    some = [one._replace(operator="copy-missing") for one in held_copies()]
    together = clustered([(4.0, one) for one in some], examined("aaaa", "aaaa", "aaaa"))
    assert len(together) == 1 and len(together[0].members) == 2


SAME = {
    "turned": [("reversed(name)", "call-wrapped"), ("name[::-1]", "slice-added")],
    "a bound": [("name + 1", "expression-off-by-one"), ("(name)", "comparison-boundary")],
    "a statement again": [("name, 0", "statement-copied"), ("name, 0", "statement-copied")],
}


@pytest.mark.parametrize("ways", SAME.values(), ids=list(SAME))
def test_ways_to_write_one_thing_are_one_though_no_input_shows_it(ways: list[tuple[str, str]]):
    some = [held(("name", new))._replace(operator=operator) for new, operator in ways]
    site = some[0].parts[0].site
    some = [one._replace(parts=(one.parts[0]._replace(site=site),)) for one in some]
    together = clustered([(4.0, one) for one in some], examined("aaaa", "aaaa", "aaaa"))
    assert len(together) == 1 and len(together[0].members) == 2


def held_copies() -> list[Candidate]:
    one = held(("name", "list(name)"))
    return [one, one._replace(parts=(Part(one.parts[0].site, ((1, 1, "x"),)),))]


def test_same_insertion_comes_later_where_it_changes_more():
    narrow, wide = held(("", "normal(")), held(("name", "normal("))
    narrow = narrow._replace(operator="method-added")
    parts = (Part(narrow.parts[0].site, ((400, 400, "normal("),)),)
    wide = narrow._replace(parts=parts)
    clusters = clustered([(2.0, wide), (2.1, narrow)], examined("aaaa", "bbba", "baaa"))
    assert clusters[0].members[0][1] is narrow
    assert inserted("raw.strip()", "raw.strip().lower()") == inserted("", ".lower()") == ".lower()"
    assert inserted("a + b", "a") == inserted("a", "b") == ""
    others = clustered([(2.0, wide), (2.1, narrow)], examined("aaaa", "bbaa", "aabb"))
    assert others[0].members[0][1] is wide, "each changes something of its own"


def test_survivor_that_breaks_what_worked_comes_later():
    some = list(candidates().values())[:2]
    clusters = clustered([(2.0, some[0]), (2.5, some[1])], examined("aaaa", "!!!b", "abab"))
    assert clusters[0].members[0][1] is some[1]
    assert clusters[1].signs is not None and clusters[1].signs.broken == 0.75


def test_survivor_after_which_most_inputs_raise_is_hardly_believed():
    (one,) = list(candidates().values())[:1]
    (few,) = clustered([(2.0, one)], examined("a" * 9, "!" * 4 + "ab" + "aaa"))
    (most,) = clustered([(2.0, one)], examined("a" * 9, "!" * 5 + "ab" + "aa"))
    assert few.members[0][0] + 1 < most.members[0][0]


def test_survivor_that_changes_what_green_tests_were_answered_comes_later():
    some = list(candidates().values())[:2]
    told = examined("aaaa", "abab", "aabb")
    told.fresh, told.green = [True, False, True, False], [False, True, False, False]
    clusters = clustered([(2.0, some[0]), (2.4, some[1])], told)
    assert clusters[0].members[0][1] is some[1]


def test_many_ways_to_the_same_weigh_less_than_one_of_them_that_is_as_likely_as_all():
    """Each of a dozen edits may break what a test is about; that they agree says little."""
    some = list(candidates().values())[:7]
    survivors = [(2.4, one) for one in some[:6]] + [(1.3, some[6])]
    clusters = clustered(survivors, examined("aaaa", *["aabb"] * 6, "aacc"))
    assert clusters[0].members[0][1] is some[6]


def test_change_beside_the_crash_is_worse_than_curing_it_alone():
    some = list(candidates().values())[:2]
    told = examined("aaa!", "aab!", "aaab")
    survivors = [(2.0, some[0]), (2.4, some[1])]
    assert clustered(survivors, told, crash=False)[0].members[0][1] is some[0]
    assert clustered(survivors, told, crash=True)[0].members[0][1] is some[1]


def test_groups_of_equal_weight_are_not_proposed_but_told():
    some = list(candidates().values())[:2]
    told = examined("aaaa", "aabb", "aacc")
    told.said = ["f(1)", "f(2)", "f(300)", "f(4)"]
    clusters = clustered([(2.0, some[0]), (2.0, some[1])], told)
    assert sure(clusters) == []
    text = doubt(clusters, told)
    assert text.startswith("2 different changes pass all tests, and nothing tells which is meant: ")
    assert "clip.py" in text and text.endswith("a test of `f(4)` would tell the first two apart")


def test_one_unlikely_survivor_is_not_proposed_but_told():
    (one,) = list(candidates().values())[:1]
    clusters = clustered([(8.0, one)], Examined([]))
    assert sure(clusters) == [] and doubt(clusters, Examined([])).startswith("one change passes all tests")


def test_more_red_tests_make_a_survivor_likelier():
    (one,) = list(candidates().values())[:1]
    shares = [clustered([(4.5, one)], Examined([]), reds=reds)[0].share for reds in (1, 2, 5)]
    assert shares == sorted(shares) and shares[0] < shares[2] - 0.2


def test_likely_survivor_is_proposed():
    (one,) = list(candidates().values())[:1]
    clusters = clustered([(2.0, one)], Examined([]))
    assert sure(clusters) == clusters and doubt(clusters, Examined([])) == ""


def test_inputs_that_the_same_code_answers_differently_tell_nothing():
    some = list(candidates().values())[:2]
    messages = [{"fresh": [True, True]}]
    for number, marks in ((-2, [1, 5]), (-1, [2, 5]), (0, [3, 6]), (1, [4, 6])):
        messages.append({"n": number, "kinds": "oo", "marks": marks})
    assert len(clustered([(2.0, some[0]), (2.0, some[1])], Examined(messages))) == 1


def test_survivors_without_an_exam_agree_with_nobody():
    """A closure cannot be asked: two changes of it are rivals, and even one alone is not believed in full."""
    some = list(candidates().values())[:2]
    first, second = clustered([(2.0, some[1]), (1.9, some[0])], Examined([]))
    assert first.members[0][1] is some[0]
    assert second.members[0][1] is some[1]
    (alone,) = clustered([(0.1, some[0])], Examined([]))
    assert 0.5 < alone.share <= 0.75


def test_rivals_that_differ_only_where_the_code_raises_anyway_are_one_group():
    some = list(candidates().values())[:2]
    messages = [{"fresh": [True, True]}]
    messages += [{"n": n, "kinds": "oe", "marks": [1, 5]} for n in (-2, -1)]
    messages += [{"n": 0, "kinds": "oe", "marks": [3, 5]}, {"n": 1, "kinds": "oo", "marks": [3, 6]}]
    survivors = [(2.0, some[0]), (2.0, some[1])]
    assert len(clustered(survivors, Examined(messages))) == 1
    assert len(clustered(survivors, Examined(messages), crash=True)) == 2


WRAPPED = """
def times(by):
    def decorate(function):
        def wrapper(value):
            return function(value) * by

        return wrapper

    return decorate


@times(2)
def twice(value):
    return value


@times(3)
def thrice(value):
    return value
"""


def test_calls_of_decorated_functions_are_kept_with_the_wrapper_that_was_called(tmp_path, monkeypatch):
    (tmp_path / "wrapped_for_exam.py").write_text(WRAPPED)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("wrapped_for_exam")
    paths = Paths(str(tmp_path), {"wrapped_for_exam.py"})
    recorder = CallRecorder(Live(paths), paths, set())
    with recorder:
        assert (module.twice(5), module.thrice(7)) == (10, 21)
    assert [(call.function, call.args) for call in recorder.calls] == [(module.twice, (5,)), (module.thrice, (7,))]


PIPED = """
def clean(text):
    return text.strip()


def words(text):
    return clean(text).split()


def longest(text):
    return max(words(text), key=len)


def shout(text):
    return text.upper()
"""


def test_only_functions_on_a_way_to_the_change_are_asked(tmp_path, monkeypatch):
    (tmp_path / "piped_for_exam.py").write_text(PIPED)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("piped_for_exam")
    paths = Paths(str(tmp_path), {"piped_for_exam.py"})
    recorder = CallRecorder(Live(paths), paths, {("piped_for_exam.py", 2, "clean")})
    with recorder:
        assert (module.longest(" a bc "), module.shout("a")) == ("bc", "A")
    assert {call.key[2] for call in recorder.telling()} == {"longest", "clean"}
    assert {call.key[2] for call in recorder.calls} == {"longest", "clean", "shout"}
