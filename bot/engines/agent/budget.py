"""What a repair may still spend. Reserved before a call, charged after it, whether it succeeded or not.

It holds no clock and is stored nowhere: everything that it is charged comes from results that steps remember, so a
restart counts the same sums again.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engines.agent.models.patience import Reply
from bot.engines.agent.models.protocol import Usage
from bot.engines.agent.prices import Price

MIN_OUTPUT = 512


@dataclass(frozen=True)
class Caps:
    """The limits of one repair."""

    calls: int = 150
    tokens: int = 6_000_000
    usd: float = 3.0
    wall_s: float = 1800.0
    test_runs: int = 60


class Spent(Exception):
    """A limit is reached; the message says which."""


@dataclass(frozen=True)
class Reservation:
    """What one request may cost at most, and how often it may be tried."""

    input_tokens: int
    max_tokens: int
    usd: float
    tries: int


class Budget:
    """One repair's purse."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.calls = 0
        self.tokens = 0
        self.usd = 0.0
        self.seconds = 0.0
        self.test_runs = 0

    def reserve(self, price: Price, input_tokens: int, max_tokens: int) -> Reservation:
        """Room for one request, with a smaller answer where money is short. Raises Spent when there is none."""
        self._time()
        calls = self.caps.calls - self.calls
        if calls <= 0:
            raise Spent(f"All {self.caps.calls} model calls are used.")
        output = min(max_tokens, self.caps.tokens - self.tokens - input_tokens)
        left = self.caps.usd - self.usd
        while output >= MIN_OUTPUT and price.most_usd(input_tokens, output) > left:
            output //= 2
        if output < MIN_OUTPUT:
            what = (
                f"${self.caps.usd:.2f}"
                if self.caps.tokens - self.tokens > input_tokens
                else f"{self.caps.tokens:,} tokens"
            )
            raise Spent(f"The next model call does not fit into what is left of {what}.")
        most = price.most_usd(input_tokens, output)
        affordable = int(left / most) if most > 0 else calls
        return Reservation(input_tokens, output, most, max(1, min(calls, affordable)))

    def charge(self, price: Price, reserved: Reservation, reply: Reply) -> float:
        """Book what a request has cost, failed tries too; what nobody knows counts as much as was reserved."""
        before = self.usd
        self.calls += reply.tries
        self.seconds += reply.seconds
        for usage in (*reply.wasted, *([reply.turn.usage] if reply.turn else [])):
            self._book(price, usage, reserved)
        for _ in range(reply.unknown + reply.lost):
            self._book(price, Usage(known=False), reserved)
        return self.usd - before

    def test_run(self, seconds: float) -> None:
        """Book one run of tests or of a check."""
        self.test_runs += 1
        self.seconds += seconds

    def may_test(self) -> None:
        """Raises Spent when no further run is allowed."""
        self._time()
        if self.test_runs >= self.caps.test_runs:
            raise Spent(f"All {self.caps.test_runs} test runs are used.")

    def waited(self, seconds: float) -> None:
        """Book time that was spent elsewhere: in the gate."""
        self.seconds += seconds

    @property
    def short(self) -> bool:
        """True when half of the money or most of the calls are gone: time to come to an end."""
        return self.usd > self.caps.usd / 2 or self.calls > self.caps.calls * 0.8

    def left(self) -> str:
        """What is left, in words."""
        return (
            f"{self.caps.calls - self.calls} calls, ${max(0.0, self.caps.usd - self.usd):.2f}, "
            f"{self.caps.test_runs - self.test_runs} test runs, {max(0.0, self.caps.wall_s - self.seconds):.0f} s"
        )

    def _time(self) -> None:
        if self.seconds >= self.caps.wall_s:
            raise Spent(f"The {self.caps.wall_s:.0f} s for this repair are over.")

    def _book(self, price: Price, usage: Usage, reserved: Reservation) -> None:
        if usage.known:
            self.tokens += usage.total
            self.usd += price.usd(usage)
        else:
            self.tokens += reserved.input_tokens + reserved.max_tokens
            self.usd += reserved.usd
