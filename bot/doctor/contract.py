"""What every sandbox must do, tried on this machine: `regreen doctor --contract`."""

from __future__ import annotations

from collections.abc import Iterator

from bot import assemble
from bot.doctor.finding import Check, Finding
from bot.settings import Settings
from sandbox import Image, Recipe, Sandbox, contract

_BROKEN = (
    "Do not run the code of others with this sandbox on this machine; report it with the output of `doctor --json`."
)


def checks(settings: Settings) -> Iterator[tuple[str, Check]]:
    """Subject and check, one for each sentence of the contract. Raises SandboxError when no box can be had."""
    box = assemble.sandbox(settings)
    image = box.prepare(Recipe(files={}, steps=()))
    made_by = assemble.backend(settings, settings.sandbox).probe()
    for rule in contract.expected(made_by.kind or made_by.backend):
        yield "contract", _check(rule, box, image)


def _check(rule: contract.Check, box: Sandbox, image: Image) -> Check:
    sentence = rule.__name__.replace("_", " ")

    def check(_: Settings) -> Finding:
        try:
            rule(box, image)
        except AssertionError as error:
            return Finding("contract", "problem", f"Not kept: {sentence}: {error}.", _BROKEN)
        return Finding("contract", "ok", sentence)

    return check
