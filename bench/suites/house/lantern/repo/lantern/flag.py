"""Flags and their rules."""

import hashlib
from dataclasses import dataclass, field, replace

from lantern import condition

BUCKETS = 10_000


@dataclass(frozen=True)
class Rule:
    """Where the condition holds: a value, or True for a share of people in percent."""

    when: str = ""
    value: object = True
    share: float | None = None
    node: object = field(init=False, compare=False, repr=False)

    def __post_init__(self):
        if self.share is not None and not 0 <= self.share <= 100:
            raise ValueError("a share is between 0 and 100")
        object.__setattr__(self, "node", condition.parse(self.when) if self.when else condition.Value(True))

    def holds(self, person):
        return bool(self.node.of(person))


@dataclass(frozen=True)
class Flag:
    """A name, rules, and the value where none of them holds."""

    name: str
    default: object = False
    rules: tuple = ()
    needs: tuple = ()
    salt: str = ""

    def decide(self, person):
        """Return (value, number of the rule from 1, or 0 for the default)."""
        for number, rule in enumerate(self.rules, start=1):
            if rule.holds(person):
                if rule.share is None:
                    return rule.value, number
                if bucket(self.salt or self.name, person.get("id", "")) < rule.share / 100 * BUCKETS:
                    return rule.value, number
        return self.default, 0

    def with_rule(self, rule, first=False):
        """Return the flag with one more rule, at the end or before all others."""
        return replace(self, rules=(rule, *self.rules) if first else (*self.rules, rule))


def bucket(salt, person):
    """Return a number below BUCKETS, the same for ever for this salt and person."""
    digest = hashlib.sha256(f"{salt}:{person}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % BUCKETS
