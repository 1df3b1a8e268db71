from __future__ import annotations

import pytest

from plinth import BadConfig, Config, Duration, PlinthError, field


class Server(Config):
    host: str = "localhost"
    port: int = field(8080, low=1, high=65535)
    token: str = field("", secret=True)
    tags: list[str] = []
    limits: Limits | None = None


class Limits(Config):
    size: int
    pause: Duration = field(Duration(seconds=5), was="delay")


class Public(Server):
    host = "0.0.0.0"
    port: int = field(443, low=443)
    name: str = "public"


def problems(act):
    with pytest.raises(BadConfig) as caught:
        act()
    return [str(problem) for problem in caught.value.problems]


def test_defaults_and_values():
    server = Server(port="80", tags="a,b")
    assert (server.host, server.port, server.tags) == ("localhost", 80, ["a", "b"])


def test_annotation_of_a_class_further_down():
    assert Server(limits={"size": "3"}).limits == Limits(size=3)


def test_all_problems_come_together():
    assert problems(lambda: Server(port="x", hots="y", limits={"pause": "soon"})) == [
        "hots: is unknown; is host meant?", "port: 'x' is no int", "limits.size: is missing", "limits.pause: 'soon' is no duration",
    ]


@pytest.mark.parametrize(("port", "why"), [(0, "port: 0 is less than 1"), (65536, "port: 65536 is more than 65535")])
def test_bounds(port, why):
    assert problems(lambda: Server(port=port)) == [why]


def test_bounds_are_included():
    assert [Server(port=port).port for port in (1, 65535)] == [1, 65535]


def test_required():
    assert problems(Limits) == ["size: is missing"]


class TestInheritance:
    def test_fields_of_the_base_come_first(self):
        assert list(Public.fields) == ["host", "port", "token", "tags", "limits", "name"]

    def test_default_alone_may_change(self):
        assert Public().host == "0.0.0.0"
        assert problems(lambda: Public(host=3)) == ["host: 3 is no str"]

    def test_base_stays_as_it_was(self):
        assert (Server().host, Server().port) == ("localhost", 8080)
        assert "name" not in Server.fields

    def test_bounds_of_the_subclass(self):
        assert problems(lambda: Public(port=80)) == ["port: 80 is less than 443"]

    def test_new_default_keeps_what_else_is_known(self):
        class Fast(Server):
            port = 9000

        assert problems(lambda: Fast(port=0)) == ["port: 0 is less than 1"]
        assert Fast().port == 9000

    def test_kinds_of_a_subclass(self):
        class Loose(Server):
            port: int | str = 1

        Server.kinds()
        assert Loose(port="any").port == "any"
        assert problems(lambda: Server(port="any")) == ["port: 'any' is no int"]

    def test_two_bases(self):
        class Named(Config):
            name: str = "n"

        class Both(Named, Limits):
            size = 4

        assert list(Both.fields) == ["size", "pause", "name"]
        assert Both().size == 4


class TestInstances:
    def test_defaults_are_copied(self):
        one, two = Server(), Server()
        one.tags.append("x")
        assert two.tags == Server().tags == []

    def test_frozen(self):
        with pytest.raises(PlinthError, match=r"frozen; with_\(port=...\)"):
            Server().port = 3

    def test_changed_copy(self):
        server = Server(tags=["a"])
        assert server.with_(port="99") == Server(port=99, tags=["a"])
        assert server.port == 8080
        assert problems(lambda: server.with_(port=0)) == ["port: 0 is less than 1"]

    def test_equal_values_have_the_same_hash(self):
        one, two = (Server(tags="a", limits={"size": 1}) for _ in range(2))
        assert one == two
        assert len({one, two, Server()}) == 2

    def test_other_class_is_not_equal(self):
        assert Server(host="0.0.0.0", port=443) != Public()

    def test_secrets_are_hidden(self):
        server = Server(token="abc")
        assert "abc" not in repr(server)
        assert server.to_dict()["token"] == "******"
        assert server.to_dict(secrets=True)["token"] == "abc"
        assert problems(lambda: Server(token=12345)) == ["token: cannot be read"]

    def test_nested_secrets(self):
        class Outer(Config):
            servers: list[Server]
            by_name: dict[str, Server] = {}

        Outer._kinds = {"servers": list[Server], "by_name": dict[str, Server]}
        outer = Outer(servers=[{"token": "t"}], by_name={"a": {"token": "u"}})
        assert outer.to_dict()["servers"][0]["token"] == outer.to_dict()["by_name"]["a"]["token"] == "******"
        assert outer.to_dict(secrets=True)["by_name"]["a"]["token"] == "u"

    def test_old_name(self):
        with pytest.warns(DeprecationWarning, match="delay is called pause now"):
            assert Limits(size=1, delay="9s").pause.total_seconds() == 9

    def test_new_name_wins_over_the_old_one(self):
        with pytest.warns(DeprecationWarning):
            assert Limits(size=1, pause="1s", delay="9s") == Limits(size=1, pause="1s")
