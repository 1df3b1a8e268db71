"""What has been said in one attempt. It only grows, so that its beginning stays the same bytes for a cache."""

from __future__ import annotations

from dataclasses import replace

from bot.engines.agent.models.protocol import Answered, Ask, Block, Call, Message, Text, Thought, ToolSpec, Turn

CHARS_PER_TOKEN = 3.0
_STUB = "[left out to make room; run the tool again where it is needed]"
_WITHHELD = "[this result was withheld]"
_WORTH_CLEARING = 500
_KEPT_MESSAGES = 4


class Conversation:
    """Messages so far. Grows at the end; cleared once at most, oldest results first, in one batch."""

    def __init__(self, system: str, tools: tuple[ToolSpec, ...], first: str) -> None:
        self._system = system
        self._tools = tuple(sorted(tools, key=lambda tool: tool.name))
        self.messages: tuple[Message, ...] = (Message("user", (Text(first),)),)
        self._previous = ""
        self._counted = 0
        self._counted_chars = 0
        self.cleared = False

    def ask(self, max_tokens: int) -> Ask:
        """The next request."""
        return Ask(self._system, self._tools, self.messages, max_tokens, self._previous)

    def heard(self, turn: Turn) -> None:
        """Add an answer as it came, thoughts included."""
        self.messages = (*self.messages, Message("assistant", turn.blocks or (Text("…"),)))
        self._previous = turn.id
        if turn.usage.known and turn.usage.all_input:
            self._counted = turn.usage.all_input + turn.usage.output
            self._counted_chars = self._chars()

    def heard_partly(self, turn: Turn) -> None:
        """Add an answer without its calls: they were cut, so they are not run and need no answers."""
        said = tuple(block for block in turn.blocks if isinstance(block, Text))
        self.messages = (*self.messages, Message("assistant", said or (Text("[the answer was cut]"),)))

    def say(self, blocks: tuple[Block, ...]) -> None:
        """Add our side: answers to calls first, then words."""
        self.messages = (*self.messages, Message("user", blocks))

    def tokens(self) -> int:
        """Estimate of the next request's input: what the provider counted last, and what was added since."""
        added = self._chars() - self._counted_chars
        return self._counted + int(added / CHARS_PER_TOKEN) + 1

    def clear(self) -> int:
        """Replace old results by a stub, all but the last few messages; tokens that this frees."""
        before = self._chars()
        cut = len(self.messages) - _KEPT_MESSAGES
        self.messages = tuple(
            _stubbed(message, _STUB) if 0 < number < cut else message for number, message in enumerate(self.messages)
        )
        self.cleared = True
        freed = before - self._chars()
        self._counted, self._counted_chars = 0, 0
        return int(freed / CHARS_PER_TOKEN)

    def withhold_last(self) -> bool:
        """Take back the results of the last message; False where there were none. Calls keep their answers."""
        last = self.messages[-1]
        if not any(isinstance(block, Answered) for block in last.blocks):
            return False
        self.messages = (*self.messages[:-1], _stubbed(last, _WITHHELD, least=0))
        return True

    def _chars(self) -> int:
        fixed = len(self._system) + sum(len(tool.about) + 300 for tool in self._tools)
        return fixed + sum(_size(block) for message in self.messages for block in message.blocks)


def _stubbed(message: Message, stub: str, *, least: int = _WORTH_CLEARING) -> Message:
    blocks = tuple(
        replace(block, text=stub) if isinstance(block, Answered) and len(block.text) > least else block
        for block in message.blocks
    )
    return Message(message.role, blocks)


def _size(block: Block) -> int:
    match block:
        case Text() | Answered():
            return _bytes(block.text) + 20
        case Thought():
            return _bytes(block.data)
        case Call():
            return len(block.name) + _bytes(str(block.arguments)) + 40


def _bytes(text: str) -> int:
    """Bytes say more of tokens than characters do: a character of Chinese is a token, not a third of one."""
    return len(text.encode("utf-8", "replace"))
