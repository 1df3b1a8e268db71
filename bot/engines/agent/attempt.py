"""One attempt: a model looks, edits and tests until the gate accepts its patch, or until going on makes no sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.engines.agent.asker import Asker
from bot.engines.agent.budget import Spent
from bot.engines.agent.claim import CLAIM, Claims
from bot.engines.agent.conversation import Conversation
from bot.engines.agent.models.patience import CANCELLED, Reply
from bot.engines.agent.models.protocol import Answered, Block, Call, Text, Turn
from bot.engines.agent.running import Running
from bot.engines.agent.stuck import Sign, Watch
from bot.engines.agent.toolbox import Toolbox
from bot.engines.agent.tools import Said
from bot.engines.agent.tree import Tree

End = Literal[
    "accepted", "rejected", "stuck", "spent", "model-fault", "context", "no-result", "gave-up", "test-looks-wrong",
    "cancelled", "calls",
]  # fmt: skip
MOST_CALLS = 75
MOST_CALLS_A_TURN = 16
_FREES_ENOUGH = 0.1
_SOON_S = 60.0
"""A model that asks to wait longer is not asked again in this repair."""


@dataclass(frozen=True)
class Ended:
    """How an attempt ended, and why in words."""

    kind: End
    why: str = ""
    retryable: bool = True
    """False: the same model would end the same way again."""


@dataclass
class Attempt:
    """Its parts, and what it remembers between turns."""

    asker: Asker
    conversation: Conversation
    toolbox: Toolbox
    tree: Tree
    running: Running
    claims: Claims
    watch: Watch
    progress: Callable[[str], None]
    most_calls: int = MOST_CALLS
    _silent: int = 0
    _refused: int = 0
    _cut: int = 0
    _warned: bool = False
    _max_tokens: int = 0
    _ended: Ended | None = field(default=None)

    def run(self) -> Ended:
        """Go on until it has ended. SandboxError and OutOfBudget go up."""
        while True:
            if self.asker.numbers >= self.most_calls:
                return Ended("calls", f"All {self.most_calls} model calls of this attempt are used.")
            try:
                ended = self._turn()
            except Spent as error:
                return Ended("spent", str(error))
            if ended is not None:
                return ended

    def _turn(self) -> Ended | None:
        if self.conversation.tokens() + self.asker.choice.max_tokens > self.asker.choice.window:
            ended = self._make_room()
            if ended is not None:
                return ended
        reply = self.asker.ask(self.conversation, max_tokens=self._max_tokens)
        self._max_tokens = 0
        if reply.turn is None:
            return self._no_answer(reply)
        return self._heard(reply.turn)

    def _no_answer(self, reply: Reply) -> Ended | None:
        if reply.fault == "too-long":
            return self._make_room()
        if reply.fault == CANCELLED:
            return Ended("cancelled", "The repair was cancelled.")
        wait = f" It asks to wait {reply.after_s:.0f} s." if reply.after_s else ""
        again = reply.retryable and reply.after_s < _SOON_S
        return Ended("model-fault", f"The model gave no answer ({reply.fault}).{wait}", again)

    def _make_room(self) -> Ended | None:
        """Clear old results, once. Where that frees little, a fresh attempt is cheaper."""
        size = self.conversation.tokens()
        if self.conversation.cleared or self.conversation.clear() < size * _FREES_ENOUGH:
            return Ended("context", "The conversation has grown too long for the model.")
        return None

    def _heard(self, turn: Turn) -> Ended | None:
        match turn.stop:
            case "tools":
                self._silent = 0
                self.conversation.heard(turn)
                return self._call(turn)
            case "end" | "paused":
                return self._no_call(turn)
            case "length":
                return self._too_short(turn)
            case "refusal":
                return self._was_refused(turn)
            case "too-long":
                return self._make_room()

    def _no_call(self, turn: Turn) -> Ended | None:
        self._silent += 1
        if self._silent > 1:
            return Ended("no-result", "The model stopped without a result.")
        self.conversation.heard(turn)
        self.conversation.say((Text("Call a tool, or `finish` when you are done."),))
        return None

    def _too_short(self, turn: Turn) -> Ended | None:
        """The answer was cut at its limit. A call in it may be half a call: it is never run."""
        self._cut += 1
        if self._cut > 3:
            return Ended("stuck", "The model's answers are longer than its limit again and again.")
        if turn.calls and self._cut == 1:
            self._max_tokens = self.asker.choice.max_tokens * 2
            return None
        self.conversation.heard_partly(turn)
        words = "Your call was cut and was not run: make smaller edits." if turn.calls else "Go on, in fewer words."
        self.conversation.say((Text(words),))
        return None

    def _was_refused(self, turn: Turn) -> Ended | None:
        """A refusal of the same words comes again: once it is tried without the results that came last."""
        self._refused += 1
        if self._refused == 1 and self.conversation.withhold_last():
            return None
        return Ended("model-fault", f"The model refuses to go on ({turn.detail or 'it does not say why'}).", False)

    def _call(self, turn: Turn) -> Ended | None:
        """Run every call of a turn, and answer all of them in one message."""
        answers: list[Block] = []
        signs: list[Sign] = []
        for number, call in enumerate(turn.calls):
            answered, sign = self._one(call) if number < MOST_CALLS_A_TURN else (self._one_too_many(call), None)
            answers.append(answered)
            signs += [sign] if sign else []
        stop = next((sign for sign in signs if sign.stop), None)
        words = [sign.text for sign in signs if not sign.stop]
        if self.asker.budget.short and not self._warned:
            self._warned = True
            words.append(f"Come to an end: what is left is {self.asker.budget.left()}.")
        self.conversation.say((*answers, *(Text(text) for text in dict.fromkeys(words))))
        if self._ended is not None:
            return self._ended
        return Ended("stuck", f"The attempt was stopped: {stop.text}.") if stop else None

    def _one(self, call: Call) -> tuple[Answered, Sign | None]:
        if self._ended is not None:
            return self.toolbox.answer(call, Said("Not run: the attempt has ended.", error="ended")), None
        said = self._claimed(call) if call.name == CLAIM else self._ran(call)
        answered = self.toolbox.answer(call, said)
        self._show(call, answered, said)
        return answered, self._noticed(call, answered, said)

    def _one_too_many(self, call: Call) -> Answered:
        return self.toolbox.answer(
            call, Said(f"Not run: at most {MOST_CALLS_A_TURN} calls at a time.", error="calls")
        )

    def _ran(self, call: Call) -> Said:
        try:
            return self.toolbox.run(call)
        except Spent as error:
            return Said(f"{error} Finish with what you know.", error="spent")

    def _claimed(self, call: Call) -> Said:
        """A claim is checked like any call, then brought before the gate."""
        said = self.toolbox.run(call)
        if not said.error:
            said, ended = self.claims.decide(call.arguments or {})
            self._ended = Ended(ended, said.note) if ended else None
        return said

    def _noticed(self, call: Call, answered: Answered, said: Said) -> Sign | None:
        signs = [self.watch.saw(call.name, call.arguments, answered.text, error=said.error)]
        if call.name in ("edit_file", "create_file") and not said.error:
            signs.append(self.watch.changed(self.tree.digest()))
        last = self.running.last
        if call.name == "run_tests" and last is not None and last.red:
            signs.append(self.watch.failed(last.signature, self.tree.digest()))
        found = [sign for sign in signs if sign]
        return next((sign for sign in found if sign.stop), found[0] if found else None)

    def _show(self, call: Call, answered: Answered, said: Said) -> None:
        where = _where(call.arguments or {})
        error = f" ({said.error})" if said.error else ""
        self.progress(f"{self.asker.choice.patient.name}: {call.name}{where}{error}; ${self.asker.budget.usd:.2f}")
        self.asker.transcript.write(
            "tool", step=f"{self.asker.name}:{self.asker.numbers}", name=call.name, arguments=call.arguments,
            answer=answered.text, error=said.error,
        )  # fmt: skip


def _where(arguments: Mapping[str, Any]) -> str:
    value = next((arguments[name] for name in ("path", "pattern", "name", "conclusion") if name in arguments), "")
    return f" {str(value)[:80]}" if value else ""
