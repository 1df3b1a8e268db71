import subprocess
import sys

import pytest

from pool import crew
from pool.crew import Handle, close_all, results


@pytest.fixture(autouse=True)
def nothing_open():
    crew._open.clear()


def test_all_jobs_are_done():
    assert results([lambda: 1, lambda: 2, lambda: 3, lambda: 4]) == [1, 2, 3, 4]


def test_one_job():
    assert results([lambda: "x"]) == ["x"]


def test_close_all():
    handle = Handle("a")
    assert close_all() == 1
    assert handle.closed


def test_closed_ones_are_not_counted_again():
    Handle("a"), Handle("b")
    close_all()
    assert close_all() == 0


def test_program_closes_what_is_open():
    program = (
        "from pool.crew import Handle\n"
        "class Loud(Handle):\n"
        "    def close(self): print('closed')\n"
        "Loud('z')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "closed\n"
