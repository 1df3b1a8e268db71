import pytest

from postbag import Address
from postbag.errors import BadTemplate
from postbag.template import Template


class TestTemplate:
    def test_places(self):
        assert Template("{a} and {b|upper}").fill({"a": 1, "b": "two"}) == "1 and TWO"

    def test_braces_stand_for_themselves(self):
        assert Template("{{a}} {a}").fill({"a": 1}) == "{a} 1"

    def test_values_are_not_looked_at_again(self):
        assert Template("{a}{b}").fill({"a": "{b}", "b": "x|upper"}) == "{b}x|upper"

    def test_filters_one_after_the_other(self):
        assert Template("{a | first | upper}").fill({"a": "ann bell"}) == "ANN"

    def test_own_filter(self):
        assert Template("{a|rev}", {"rev": lambda text: text[::-1]}).fill({"a": "abc"}) == "cba"

    def test_own_filters_stay_with_their_template(self):
        Template("{a|rev}", {"rev": lambda text: text[::-1]})
        with pytest.raises(BadTemplate, match="no filter 'rev'"):
            Template("{a|rev}").fill({"a": "abc"})

    @pytest.mark.parametrize(
        ("text", "why"),
        [("one\ntwo {x}", "line 2: no value for 'x'"), ("{a|shout}", "line 1: no filter 'shout'"), ("\n\n}", "line 3: a single }")],
    )
    def test_errors_name_the_line(self, text, why):
        with pytest.raises(BadTemplate, match=why):
            Template(text).fill({"a": "b"})

    def test_names(self):
        assert Template("{b|upper} {a} {b} {{c}}").names() == ["a", "b"]


class TestMailing:
    def test_letter(self, mailing, server, ann):
        mailing.run([(ann, {"what": "oars"})])
        ((_, data),) = server.taken
        assert b"To: ann bell <ann@example.org>\r\n" in data
        assert data.endswith(b"Dear Ann Bell,\r\n\r\nbring oars!\r\n")

    def test_everybody_once(self, mailing, server, ann):
        other = Address.parse("Ann <ann@EXAMPLE.org>")
        report = mailing.run([(ann, {"what": "oars"}), (other, {"what": "oars"})])
        assert (report.sent, report.skipped) == ([ann], [other])
        assert len(server.taken) == 1

    def test_twice_in_two_runs(self, mailing, server, ann):
        for _ in range(2):
            mailing.run([(ann, {"what": "oars"})])
        assert len(server.taken) == 2

    def test_unsubscribed(self, mailing, server, ann):
        mailing.unsubscribe(Address("ann", "Example.Org"))
        assert mailing.run([(ann, {"what": "oars"})]).skipped == [ann]
        assert server.calls == 0

    def test_refused_for_now_is_tried_again(self, mailing, server, ann):
        server.moods = ["451 busy", "451 busy"]
        assert mailing.run([(ann, {"what": "oars"})]).sent == [ann]
        assert server.calls == 3

    def test_three_times_at_most(self, mailing, server, ann):
        server.moods = ["451 busy"] * 5
        assert mailing.run([(ann, {"what": "oars"})]).failed == {ann: "451 busy"}
        assert server.calls == 3

    def test_refused_for_good(self, mailing, server, ann):
        server.moods = ["550 no such mailbox"]
        report = mailing.run([(ann, {"what": "oars"}), (Address("bob", "x.nl"), {"what": "rope"})])
        assert report.failed == {ann: "550 no such mailbox"}
        assert [address.local for address in report.sent] == ["bob"]
        assert server.calls == 2

    def test_common_headers_stay_common(self, mailing, ann):
        first = mailing.letter(ann, {"what": "oars"})
        assert first.headers["To"].startswith("ann bell")
        assert "To" not in mailing.common
