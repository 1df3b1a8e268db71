"""What tokens cost: a dated table as data, and the dearest row for a model that nobody has priced."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.engines.agent.models.protocol import Usage
from bot.errors import Refused

_TABLE = Path(__file__).with_name("prices.toml")
_MILLION = 1_000_000


class Row(BaseModel):
    """Dollars for a million tokens of each kind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    cache_write: float = Field(ge=0)
    long_prompt: int = 0
    """Input tokens above which the whole request costs `long_factor` times as much; 0: never."""
    long_factor: float = 1.0


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    date: str
    models: dict[str, Row]


@dataclass(frozen=True)
class Price:
    """The price of one model. `known` is False where it is a guess on the safe side."""

    row: Row
    date: str
    known: bool = True

    def usd(self, usage: Usage) -> float:
        """What a request has cost."""
        row = self.row
        dollars = (
            usage.input * row.input
            + usage.cache_write * row.cache_write
            + usage.cache_read * row.cache_read
            + usage.output * row.output
        ) / _MILLION
        return dollars * (row.long_factor if row.long_prompt and usage.all_input > row.long_prompt else 1.0)

    def most_usd(self, input_tokens: int, output_tokens: int) -> float:
        """What a request can cost at most: all of its input as dear as input gets."""
        dear = max(self.row.input, self.row.cache_write)
        most = (input_tokens * dear + output_tokens * self.row.output) / _MILLION
        return most * (self.row.long_factor if self.row.long_prompt and input_tokens > self.row.long_prompt else 1.0)


def price(model: str, own: Path | None = None) -> Price:
    """The price of a model, from the operator's own file first. Refused when that file cannot be read."""
    tables = [*([_read(own)] if own else []), _read(_TABLE)]
    for table in tables:
        names = [name for name in table.models if model.startswith(name)]
        if names:
            return Price(table.models[max(names, key=len)], table.date)
    rows = [row for table in tables for row in table.models.values()]
    return Price(max(rows, key=lambda row: row.output), tables[-1].date, known=False)


def _read(path: Path) -> _File:
    try:
        return _File.model_validate(tomllib.loads(path.read_text()))
    except OSError as error:
        raise Refused(f"Cannot read the prices at {path}: {error.strerror}.", "Correct REGREEN_PRICES.") from error
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        first = str(error).split("\n", 1)[0]
        raise Refused(
            f"The prices at {path} cannot be used: {first}.", "See docs/agent.md, 'Money', for the form of the file."
        ) from error
