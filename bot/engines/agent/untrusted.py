"""Text of others on its way into a prompt: cleaned, without secrets, and fenced so that it is seen to be data."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot import redaction

# Characters that a reader does not see, and sequences that a terminal obeys. \n and \t stay.
_UNSEEN = re.compile(
    "\x1b\\[[0-?]{0,64}[ -/]{0,16}[@-~]|\x1b[\\]PX^_][^\x1b\x07\x9c]{0,4096}(?:\x1b\\\\|\x07|\x9c)?|\x1b."
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_COMMENT = re.compile("<!--(.*?)(?:-->|\\Z)", re.DOTALL)

_KEY = re.compile(redaction.PRIVATE_KEY)


@dataclass(frozen=True)
class Fence:
    """Marks data. `nonce` cannot be guessed by whoever wrote the data, so nothing in it can end the fence."""

    nonce: str

    def around(self, kind: str, text: str, *, markdown: bool = False) -> str:
        """The text as a fenced block, cleaned and without secrets."""
        body = self.clean(text, markdown=markdown).replace(self.nonce, "[…]")
        label = "".join(char for char in self.clean(kind) if char not in '<>"\n')[:300]
        return f'<data-{self.nonce} from="{label}">\n{body}\n</data-{self.nonce}>'

    def clean(self, text: str, *, markdown: bool = False) -> str:
        """Without what cannot be seen, and without secrets. `markdown`: hidden comments go, their lines stay."""
        seen = _UNSEEN.sub("", text.replace("\r\n", "\n"))
        if markdown:
            seen = _COMMENT.sub(lambda found: "[hidden comment]" + "\n" * found[1].count("\n"), seen)
        # A key of several lines leaves as many behind: the numbers of those after it are to stay right.
        seen = _KEY.sub(lambda found: "[REDACTED:private-key]" + "\n" * found[0].count("\n"), seen)
        return redaction.clean(seen)
