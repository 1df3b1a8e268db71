"""Whether and when something is tried again."""

import time
from dataclasses import dataclass, field

from .errors import JobFailed


@dataclass(frozen=True)
class Retry:
    """A policy. `sleep` is given the seconds to wait."""

    tries: int = 3
    wait: float = 0.1
    factor: float = 2.0
    most: float = 30.0
    only: tuple = (Exception,)
    sleep: object = field(default=time.sleep, compare=False)

    def __post_init__(self):
        if self.tries < 1:
            raise ValueError("something is tried at least once")

    def pauses(self):
        """Yield the seconds before the second, the third and each further try."""
        pause = self.wait
        for _ in range(self.tries - 1):
            yield min(pause, self.most)
            pause *= self.factor

    def call(self, job, act):
        """Return act(job). Raises JobFailed when all tries failed, or one with an error that is final."""
        pauses = self.pauses()
        for number in range(1, self.tries + 1):
            try:
                return act(job)
            except self.only as error:
                if number == self.tries:
                    raise JobFailed(job, number) from error
            except Exception as error:
                raise JobFailed(job, number) from error
            self.sleep(next(pauses))
        raise AssertionError("unreachable")


NEVER = Retry(tries=1)
"""Nothing is tried again."""
