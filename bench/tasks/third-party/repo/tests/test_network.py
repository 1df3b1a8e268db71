"""The tests must not depend on the world outside: where they run, there is none."""

import socket

import pytest
import requests

OUTSIDE = "203.0.113.1"


def test_there_is_no_way_to_an_outside_address():
    # Connecting a datagram socket sends nothing: it only asks the kernel for a way there.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, pytest.raises(OSError):
        probe.connect((OUTSIDE, 53))


def test_outside_request_fails_at_once():
    with pytest.raises(requests.ConnectionError, match="[Uu]nreachable"):
        requests.get(f"http://{OUTSIDE}/", timeout=5)
