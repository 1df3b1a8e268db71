"""The belt: jobs go in, results come out in the same order."""

import threading
from dataclasses import dataclass, field

from .errors import Cancelled, JobFailed
from .meter import Meter
from .retry import NEVER

_WAITING = object()


@dataclass
class _Round:
    """One run: what the workers of it share."""

    jobs: list
    act: object
    lock: threading.Lock = field(default_factory=threading.Lock)
    next: int = 0
    results: list = field(default_factory=list)
    stopped: bool = False

    def __post_init__(self):
        self.results = [_WAITING] * len(self.jobs)

    def take(self):
        """Return the place of a job that nobody has, or None when there is none or no more shall begin."""
        with self.lock:
            if self.stopped or self.next >= len(self.jobs):
                return None
            place = self.next
            self.next += 1
            return place


class Belt:
    """Some threads. One belt can run several rounds, one after the other or together."""

    def __init__(self, workers=4, retry=NEVER, keep_going=False, checkpoint=None, key=str):
        if workers < 1:
            raise ValueError("a belt needs a worker")
        self.workers, self.retry, self.keep_going = workers, retry, keep_going
        self.checkpoint, self.key = checkpoint, key
        self.meter = Meter()
        self._rounds = []
        self._lock = threading.Lock()

    def run(self, jobs, act):
        """Return act(job) of each job, in order. Raises JobFailed, or Cancelled after `stop`."""
        round_ = _Round(list(jobs), act)
        with self._lock:
            self._rounds.append(round_)
        try:
            count = min(self.workers, len(round_.jobs))
            threads = [threading.Thread(target=self._work, args=(round_,), daemon=True) for _ in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            with self._lock:
                self._rounds.remove(round_)
        return self._ended(round_)

    def stop(self):
        """Let no further job begin, in all rounds that run now."""
        with self._lock:
            rounds = list(self._rounds)
        for round_ in rounds:
            with round_.lock:
                round_.stopped = True

    def _work(self, round_):
        while (place := round_.take()) is not None:
            result = self._one(round_.jobs[place], round_.act)
            with round_.lock:
                round_.results[place] = result
                if isinstance(result, JobFailed) and not self.keep_going:
                    round_.stopped = True

    def _one(self, job, act):
        """Return a result, or the JobFailed in its place."""
        key = self.key(job)
        if self.checkpoint is not None and key in self.checkpoint:
            self.meter.add("remembered")
            return self.checkpoint[key]
        try:
            result = self.retry.call(job, act)
        except JobFailed as error:
            self.meter.add("failed")
            return error
        self.meter.add("done")
        if self.checkpoint is not None:
            self.checkpoint.put(key, result)
        return result

    def _ended(self, round_):
        if not self.keep_going:
            for result in round_.results:
                if isinstance(result, JobFailed):
                    raise result
        if _WAITING in round_.results:
            raise Cancelled(f"{round_.results.count(_WAITING)} of {len(round_.jobs)} jobs never began")
        return round_.results
