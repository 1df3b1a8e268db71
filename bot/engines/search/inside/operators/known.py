"""Where well-known names of the standard library live, and what its functions call their keywords."""

from __future__ import annotations

import sys
from typing import Dict, Tuple

LIBRARY: Tuple[Tuple[str, str], ...] = (
    ("pathlib", "Path PurePath"),
    ("collections", "defaultdict Counter OrderedDict deque namedtuple ChainMap UserDict UserList"),
    ("dataclasses", "dataclass field asdict astuple replace fields"),
    ("datetime", "datetime timedelta timezone date time tzinfo"),
    ("decimal", "Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN InvalidOperation getcontext localcontext"),
    ("fractions", "Fraction"),
    ("functools", "partial reduce wraps lru_cache cached_property cmp_to_key singledispatch total_ordering"),
    ("functools", "cache"),
    ("itertools", "chain groupby product combinations permutations count cycle islice repeat takewhile"),
    ("itertools", "dropwhile zip_longest accumulate starmap tee pairwise"),
    ("math", "sqrt ceil floor gcd isqrt isclose pi inf hypot log sin cos prod isnan"),
    ("io", "StringIO BytesIO"),
    ("enum", "Enum IntEnum Flag IntFlag auto"),
    ("abc", "ABC abstractmethod abstractproperty"),
    ("contextlib", "contextmanager suppress ExitStack closing nullcontext redirect_stdout asynccontextmanager"),
    ("typing", "Optional List Dict Any Union Tuple FrozenSet Type NamedTuple TypedDict Protocol Generic"),
    ("typing", "TypeVar ClassVar Literal Final cast overload TYPE_CHECKING"),
    ("operator", "itemgetter attrgetter methodcaller mul"),
    ("copy", "deepcopy"),
    ("textwrap", "dedent wrap fill shorten indent"),
    ("urllib.parse", "urlparse quote urlencode unquote urljoin urlsplit parse_qs quote_plus"),
    ("collections.abc", "Iterable Iterator Mapping MutableMapping Sequence MutableSequence Callable Hashable"),
    ("collections.abc", "Generator Set MutableSet Container Sized Awaitable Coroutine AsyncIterator AsyncIterable"),
    ("random", "choice randint shuffle sample"),
    ("time", "sleep monotonic perf_counter"),
    ("bisect", "bisect_left bisect_right insort"),
    ("heapq", "heappush heappop heapify nlargest nsmallest"),
    ("types", "SimpleNamespace MappingProxyType"),
    ("unittest.mock", "Mock MagicMock patch"),
    ("concurrent.futures", "ThreadPoolExecutor ProcessPoolExecutor"),
    ("queue", "Queue"),
    ("threading", "Lock Thread Event RLock"),
    ("uuid", "uuid4 UUID"),
    ("zoneinfo", "ZoneInfo"),
    ("string", "ascii_letters ascii_lowercase digits Template"),
    ("fnmatch", "fnmatch"),
    ("pprint", "pprint pformat"),
    ("statistics", "mean median stdev"),
    ("weakref", "WeakKeyDictionary WeakValueDictionary"),
    ("tempfile", "TemporaryDirectory NamedTemporaryFile"),
    ("email.utils", "parsedate_to_datetime formatdate"),
    ("html", "escape unescape"),
)
"""Module -> names that are imported from it."""
WELL_KNOWN: Dict[str, str] = {name: module for module, names in LIBRARY for name in names.split()}

_FALLBACK = "os sys re math json time random itertools functools collections copy string"
STDLIB = frozenset(getattr(sys, "stdlib_module_names", _FALLBACK.split()))

_KEYWORDS = """
frozen order eq slots repr init default default_factory reverse key maxsplit sep end flush file
encoding errors newline mode indent sort_keys ensure_ascii separators parents exist_ok check
capture_output text timeout cwd env maxsize maxlen fillvalue repeat start strict prefix suffix days
seconds microseconds milliseconds minutes hours weeks tzinfo tz fold flags count
"""
LIBRARY_KEYWORDS = frozenset(_KEYWORDS.split())
