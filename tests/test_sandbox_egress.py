"""What a build may know of this machine: only listed names, nothing on its disk, and what of it is secret."""

from __future__ import annotations

import pytest

from sandbox.egress import CA_PATH, egress, with_pip_conf

INDEX = "https://me:s3cr%40t@packages.example/simple"


def test_only_listed_names_pass():
    found = egress({"PIP_INDEX_URL": INDEX, "GITHUB_TOKEN": "ghs_x", "AWS_SECRET": "x", "HOME": "/root"})
    assert found.env == {"PIP_INDEX_URL": INDEX, "UV_DEFAULT_INDEX": INDEX}


@pytest.mark.parametrize("url", ["file:///srv/simple", "/srv/wheels", "wheels", "local=file:///srv/simple"])
@pytest.mark.parametrize("name", ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_INDEX"])
def test_indexes_on_this_machines_disk_are_dropped(name, url):
    assert egress({name: url}).env == {}
    assert egress({name: f"{url} https://packages.example/simple"}).env[name] == "https://packages.example/simple"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PIP_INDEX_URL", INDEX),
        ("PIP_EXTRA_INDEX_URL", f"https://public.example/simple {INDEX}"),
        ("UV_INDEX", f"private={INDEX}"),
        ("https_proxy", "http://me:s3cr%40t@proxy.example:3128"),
        ("HTTPS_PROXY", "me:s3cr%40t@proxy.example:3128"),
        ("GOPROXY", f"{INDEX},direct"),
    ],
)
def test_passwords_are_known_as_written_and_decoded(name, value):
    found = egress({name: value})
    assert found.secrets == ("s3cr%40t", "s3cr@t")
    assert found.redacted("at s3cr@t and s3cr%40t") == "at [secret] and [secret]"


def test_a_token_in_place_of_a_user_name_is_secret():
    assert egress({"PIP_INDEX_URL": "https://tok_123@packages.example/simple"}).secrets == ("tok_123",)


def test_indexes_are_told_apart_without_their_credentials():
    found = egress({"PIP_INDEX_URL": INDEX})
    assert found.indexes[0] == "PIP_INDEX_URL=https://packages.example/simple"
    assert "s3cr" not in " ".join(found.indexes)


def test_a_ca_bundle_goes_along_by_one_fixed_path(tmp_path):
    bundle = tmp_path / "ca.pem"
    bundle.write_bytes(b"certificates")
    found = egress({"REQUESTS_CA_BUNDLE": str(bundle)})
    assert found.ca == b"certificates"
    assert set(found.env.values()) == {CA_PATH}
    assert {"SSL_CERT_FILE", "PIP_CERT", "GIT_SSL_CAINFO"} <= set(found.env)


def test_a_ca_bundle_that_is_not_there_is_no_bundle():
    assert egress({"SSL_CERT_FILE": "/nowhere/ca.pem"}).env == {}


@pytest.fixture
def home(tmp_path):
    (tmp_path / "pip").mkdir()
    return {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_CONFIG_DIRS": str(tmp_path / "none")}


def test_pips_own_configuration_counts(home, tmp_path):
    (tmp_path / "pip/pip.conf").write_text(
        f"[global]\nindex-url = {INDEX}\nextra-index-url =\n  https://a.example/s\n  https://b.example/s\n"
        "[install]\ntrusted-host = a.example\n"
    )
    found = egress({**with_pip_conf(home), "SSL_CERT_FILE": ""})
    assert found.env["PIP_INDEX_URL"] == INDEX
    assert found.env["PIP_EXTRA_INDEX_URL"] == "https://a.example/s https://b.example/s"
    assert found.env["PIP_TRUSTED_HOST"] == "a.example"
    assert "s3cr@t" in found.secrets


def test_the_environment_wins_over_pips_configuration(home, tmp_path):
    (tmp_path / "pip/pip.conf").write_text("[global]\nindex-url = https://file.example/simple\n")
    assert with_pip_conf({**home, "PIP_INDEX_URL": "https://env.example"})["PIP_INDEX_URL"] == "https://env.example"


@pytest.mark.parametrize("text", ["no section = 1", "[global\nx", "[global]\n%(x)s\n=\n", "\udcff\udcfe"])
def test_a_broken_configuration_of_pips_is_pips_to_complain_of(home, tmp_path, text):
    (tmp_path / "pip/pip.conf").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "PIP_EXTRA_INDEX_URL" not in egress(with_pip_conf(home)).env


@pytest.mark.parametrize(
    ("proxy", "host_network"),
    [
        ("http://127.0.0.1:3128", True),
        ("localhost:3128", True),
        ("http://[::1]:3128", True),
        ("http://p:1", False),
    ],
)
def test_a_proxy_on_the_loopback_needs_the_hosts_network(proxy, host_network):
    assert egress({"https_proxy": proxy}).needs_host_network is host_network
