"""Flags as JSON, as they are kept in files and sent over the wire."""

import json

from lantern.errors import LanternError
from lantern.flag import Flag, Rule

FORMAT = 2


def dump(flags):
    """Return flags as JSON text, by name, so that files differ only where flags do."""
    return json.dumps({"format": FORMAT, "flags": [_plain(flag) for flag in sorted(flags, key=lambda one: one.name)]}, indent=1)


def load(text):
    """Return the flags in JSON text. Format 1 had one rule and called `needs` `parent`. Raises LanternError."""
    try:
        document = json.loads(text)
        reader = {1: _first, 2: _flag}[document["format"]]
        return [reader(one) for one in document["flags"]]
    except (ValueError, KeyError, TypeError) as error:
        raise LanternError(f"these are no flags: {error!r}") from error


def _plain(flag):
    plain = {"name": flag.name, "default": flag.default, "rules": [_rule(rule) for rule in flag.rules]}
    if flag.needs:
        plain["needs"] = list(flag.needs)
    if flag.salt:
        plain["salt"] = flag.salt
    return plain


def _rule(rule):
    plain = {"when": rule.when, "value": rule.value}
    if rule.share is not None:
        plain["share"] = rule.share
    return plain


def _flag(one):
    rules = tuple(Rule(rule.get("when", ""), rule.get("value", True), rule.get("share")) for rule in one.get("rules", ()))
    return Flag(one["name"], one.get("default", False), rules, tuple(one.get("needs", ())), one.get("salt", ""))


def _first(one):
    rule = Rule(one.get("when", ""), True, one.get("percent"))
    needs = (one["parent"],) if one.get("parent") else ()
    # Shares of format 1 were made with the name in capitals: people must not change sides.
    return Flag(one["name"], False, (rule,), needs, one["name"].upper())
