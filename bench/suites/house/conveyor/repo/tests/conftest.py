import threading

import pytest


class Crowd:
    """Threads of a test: started together, waited for, their results and errors kept."""

    def __init__(self):
        self.threads, self.results, self.errors = [], [], []

    def start(self, act, count=1):
        for _ in range(count):
            thread = threading.Thread(target=self._run, args=(act,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def _run(self, act):
        try:
            self.results.append(act())
        except Exception as error:
            self.errors.append(error)

    def wait(self):
        for thread in self.threads:
            thread.join(timeout=5)
            assert not thread.is_alive(), "a thread does not come back"


@pytest.fixture
def crowd():
    return Crowd()


@pytest.fixture
def pauses():
    """Pauses that a policy asked for; nobody really sleeps."""
    return []
