"""The bank's server: today's rates."""

import os
import urllib.request

from rates.table import Table

SERVER = "https://rates.bank.example/v2/today"


class Unavailable(Exception):
    """The server cannot be reached."""


def request():
    """Return the request for today's rates, signed with the key of this machine."""
    return urllib.request.Request(SERVER, headers={"X-Key": os.environ["RATES_KEY"], "Accept": "text/csv"})


def fetch(address=SERVER):
    """Return the answer of the server as lines. Raises Unavailable."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.read().decode().splitlines()
    except OSError as error:
        raise Unavailable(f"no rates from {address}") from error


def today(address=SERVER):
    """Return today's table."""
    return Table.read(fetch(address))
