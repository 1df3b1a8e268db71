"""Further parts that a model can play, each with a conversation of its own: planner, reviewer, explorer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engines.agent import prompt
from bot.engines.agent.asker import Asker
from bot.engines.agent.budget import Spent
from bot.engines.agent.conversation import Conversation
from bot.engines.agent.models.protocol import Answered, Block, Text, ToolSpec, Turn
from bot.engines.agent.toolbox import Toolbox
from bot.engines.agent.tools import Param, Said, Tool
from bot.engines.agent.untrusted import Fence

EXPLORE_CALLS = 10
EXPLORE_SHARE = 0.15
_SHORT_TOKENS = 2000


def plan(asker: Asker, task: str) -> str:
    """A plan for the repair; empty where the model gives none."""
    try:
        reply = asker.ask(Conversation(prompt.PLANNER, (), task), max_tokens=_SHORT_TOKENS)
    except Spent:
        return ""
    return _words(reply.turn)


def review(asker: Asker, fence: Fence, *, failing: str, diff: str, evidence: str) -> str:
    """What a reviewer has against a patch; empty where it approves, or where there is no answer.

    A reviewer can only send a change back. It has no way to accept one: that is the gate's.
    """
    shown = [
        f"The word X of the data fences is {fence.nonce}.", fence.around("the failing tests", failing),
        fence.around("diff", diff), fence.around("evidence", evidence),
    ]  # fmt: skip
    tool = Tool(
        "review", "Say what you think of the patch.",
        (Param("approve", "boolean", "Whether it may go on to verification.", True),
         Param("reasons", "string", "What has to change, for whoever wrote it.", "It only hides the error.")),
        lambda arguments: Said("noted"),
    )  # fmt: skip
    spec = ToolSpec(tool.name, tool.about, tool.schema())
    try:
        reply = asker.ask(Conversation(prompt.REVIEWER, (spec,), "\n\n".join(shown)), max_tokens=_SHORT_TOKENS)
    except Spent:
        return ""
    for call in reply.turn.calls if reply.turn and reply.turn.stop == "tools" else ():
        if call.name == tool.name and not tool.call(call.arguments).error:
            arguments = call.arguments or {}
            return "" if arguments["approve"] else str(arguments["reasons"])[:2000]
    return ""


class Explorer:
    """The tool `explore`: a fresh conversation that reads and answers one question, with a share of the budget."""

    def __init__(self, asker: Asker, toolbox: Toolbox, fence: Fence) -> None:
        """`toolbox` holds reading tools only: an explorer cannot explore, edit or run."""
        self._asker = asker
        self._toolbox = toolbox
        self._fence = fence

    def tool(self) -> Tool:
        return Tool(
            "explore", "Let a helper read the repository and answer one question. It costs several model calls.",
            (Param("question", "string", "What you want to know.", "Who calls `total`?"),), self._explore,
        )  # fmt: skip

    def _explore(self, arguments: Mapping[str, Any]) -> Said:
        budget = self._asker.budget
        most_usd = (budget.caps.usd - budget.usd) * EXPLORE_SHARE
        started_usd, started = budget.usd, self._asker.numbers
        first = f"The word X of the data fences is {self._fence.nonce}.\n\n{arguments['question'][:2000]}"
        conversation = Conversation(prompt.EXPLORER, self._toolbox.specs(), first)
        while self._asker.numbers - started < EXPLORE_CALLS and budget.usd - started_usd < most_usd:
            try:
                turn = self._asker.ask(conversation, max_tokens=_SHORT_TOKENS).turn
            except Spent as error:
                return Said(str(error), error="spent")
            if turn is None or turn.stop != "tools":
                return (
                    Said("It answers:", _words(turn), "answer of the helper")
                    if turn
                    else Said("It gave no answer.", error="model")
                )
            conversation.heard(turn)
            conversation.say(self._answers(turn))
        return Said("It used its share of the budget without an answer.", error="spent")

    def _answers(self, turn: Turn) -> tuple[Block, ...]:
        answers: list[Answered] = [self._toolbox.answer(call, self._toolbox.run(call)) for call in turn.calls]
        return tuple(answers)


def _answer(turn: Turn | None) -> Said:
    words = _words(turn)
    return Said("It answers:", words, "answer of the helper") if words else Said("It gave no answer.", error="model")


def _words(turn: Turn | None) -> str:
    return "\n".join(block.text for block in turn.blocks if isinstance(block, Text))[:6000] if turn else ""
