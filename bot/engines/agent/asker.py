"""Asks a model within the budget, so that a restart asks nothing twice and forgets no money."""

from __future__ import annotations

import dataclasses
import logging
from dataclasses import dataclass, field

from bot import redaction
from bot.engines.agent.budget import Budget, Reservation
from bot.engines.agent.conversation import Conversation
from bot.engines.agent.models.patience import Patient, Reply
from bot.engines.agent.models.protocol import Answered, Block, Call, Text, Thought, Usage
from bot.engines.agent.prices import Price
from bot.engines.agent.transcript import Transcript
from bot.engines.contract import Table

log = logging.getLogger(__name__)

_CACHE_FLOOR = 0.7
_CACHE_FROM = 3


@dataclass(frozen=True)
class Choice:
    """One model of a cascade, with its price and the room that a conversation has in it."""

    patient: Patient
    price: Price
    window: int = 95_000
    max_tokens: int = 8_000


@dataclass
class Asker:
    """Reserves, asks, charges and writes down. `name` begins the names of its steps."""

    name: str
    table: Table
    budget: Budget
    choice: Choice
    transcript: Transcript
    numbers: int = 0
    cached: Usage = field(default_factory=Usage)
    missed: int = 0
    """How often the provider's cache was expected to be hit and was not."""

    def ask(self, conversation: Conversation, *, max_tokens: int = 0) -> Reply:
        """An answer or a fault. Raises Spent when the budget has no room for the question."""
        wanted = max_tokens or self.choice.max_tokens
        reserved = self.budget.reserve(self.choice.price, conversation.tokens(), wanted)
        ask = conversation.ask(reserved.max_tokens)
        self.numbers += 1
        name = f"{self.name}:{self.numbers}"
        fresh: list[bool] = []

        def reserve() -> Reservation:
            fresh.append(True)
            return reserved

        def answer() -> Reply:
            patient = self.choice.patient
            reply = _without_secrets(patient.ask(ask, tries=reserved.tries, cancelled=self.table.cancelled))
            # A reservation that an earlier life made and never saw answered may have been paid all the same.
            return reply if fresh else dataclasses.replace(reply, lost=1)

        self.table.step(f"{name}:reserve", Reservation, reserve)
        reply = self.table.step(f"{name}:answer", Reply, answer)
        cost = self.budget.charge(self.choice.price, reserved, reply)
        self._note(name, reply, cost)
        return reply

    def _note(self, name: str, reply: Reply, cost: float) -> None:
        usage = reply.turn.usage if reply.turn else Usage(known=False)
        self.transcript.write(
            "answer", step=name, model=self.choice.patient.name, stop=reply.turn.stop if reply.turn else reply.fault,
            detail=reply.turn.detail if reply.turn else reply.detail, blocks=_shown(reply), input=usage.input,
            cache_write=usage.cache_write, cache_read=usage.cache_read, output=usage.output, tries=reply.tries,
            usd=round(cost, 6), left=self.budget.left(),
        )  # fmt: skip
        caches = self.cached.cache_read + self.cached.cache_write > 0
        if caches and self.numbers > _CACHE_FROM and usage.known:
            if usage.cache_read < _CACHE_FLOOR * usage.all_input:
                self.missed += 1
                why = reply.turn.detail if reply.turn else ""
                log.warning("%s: the provider's cache was missed (%s)", name, why or "it does not say why")
        self.cached = usage if usage.known else self.cached


def _without_secrets(reply: Reply) -> Reply:
    """A provider may repeat our key, and an answer is stored, shown and put into a tree of files.

    A thought has to go back unchanged: one that holds a secret is left out.
    """
    reply = dataclasses.replace(reply, detail=redaction.clean(reply.detail))
    if reply.turn is None:
        return reply
    cleaned = (_block_without_secrets(block) for block in reply.turn.blocks)
    kept = tuple(block for block in cleaned if block is not None)
    turn = dataclasses.replace(reply.turn, blocks=kept, detail=redaction.clean(reply.turn.detail))
    return dataclasses.replace(reply, turn=turn)


def _block_without_secrets(block: Block) -> Block | None:
    match block:
        case Text() | Answered():
            return dataclasses.replace(block, text=redaction.without_known(block.text))
        case Call():
            return dataclasses.replace(block, arguments=redaction.cleaned(block.arguments, redaction.without_known))
        case Thought():
            return block if redaction.without_known(block.data) == block.data else None


def _shown(reply: Reply) -> list[dict[str, object]]:
    return [dataclasses.asdict(block) for block in reply.turn.blocks] if reply.turn else []
