"""Messages between parts of one program, on asyncio."""

from .bus import Bus
from .errors import Closed, HandlersFailed, NoAnswer, SwitchboardError
from .limits import gather_limited
from .pool import Pool
from .stream import Stream
from .ticker import Ticker

__all__ = ["Bus", "Closed", "HandlersFailed", "NoAnswer", "Pool", "Stream", "SwitchboardError", "Ticker", "gather_limited"]
