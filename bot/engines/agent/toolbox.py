"""All tools of one attempt: they run what a model calls, and turn what they say into text that is safe to show."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from bot.engines.agent.models.protocol import Answered, Call, ToolSpec
from bot.engines.agent.outputs import Outputs
from bot.engines.agent.tools import Said, Tool
from bot.engines.agent.untrusted import Fence

_MARKDOWN = (".md", ".markdown", ".mdx", ".rst", ".txt")


class Toolbox:
    """Tools by name, sorted, so that every request lists them in the same order."""

    def __init__(self, tools: Iterable[Tool], fence: Fence, outputs: Outputs) -> None:
        self._tools = {tool.name: tool for tool in sorted(tools, key=lambda tool: tool.name)}
        self._fence = fence
        self._outputs = outputs

    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(tool.name, tool.about, tool.schema()) for tool in self._tools.values())

    def run(self, call: Call) -> Said:
        """What a tool says to a call. A wrong name or wrong arguments are an answer too."""
        tool = self._tools.get(call.name)
        if tool is None:
            near = difflib.get_close_matches(call.name, self._tools, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            known = ", ".join(self._tools)
            return Said(f"There is no such tool.{hint} There are: {known}.", error="unknown-tool")
        return tool.call(call.arguments)

    def answer(self, call: Call, said: Said) -> Answered:
        """The answer as the model gets it: our words, then the data in a fence."""
        text = self._fence.clean(said.note)
        if said.data:
            markdown = _is_markdown(call.arguments)
            text += "\n" + self._fence.around(said.source, self._outputs.short(said.data), markdown=markdown)
        return Answered(call.id, call.name, text, bool(said.error))


def _is_markdown(arguments: Mapping[str, Any] | None) -> bool:
    """Whether hidden comments are to be left out: of prose, where nobody sees them. In code they are code."""
    path = (arguments or {}).get("path")
    return isinstance(path, str) and path.lower().endswith(_MARKDOWN)
