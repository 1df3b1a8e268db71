"""What a piece of Python can do that matters to a gate, each kind of fact by one finder. Nothing is run."""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator

from bot.gate.source.callnames import asks_for_name
from bot.gate.source.confined import is_confined
from bot.gate.source.equality import always_equal
from bot.gate.source.names import Fact, Names
from bot.gate.source.swallows import swallows

_FRAMEWORKS = {"pytest", "_pytest", "pluggy", "nose", "nose2", "unittest", "doctest", "hypothesis"}
_SKIPS = {
    "SkipTest", "skip", "skipif", "skipIf", "skipUnless", "skipTest", "xfail", "importorskip", "expectedFailure",
    "exit",
}  # fmt: skip
_EXITS = {
    "os._exit", "os.abort", "os.kill", "os.killpg", "signal.raise_signal", "signal.alarm", "signal.setitimer",
    "signal.pthread_kill", "faulthandler.dump_traceback_later", "posix._exit", "posix.abort", "posix.kill",
}  # fmt: skip
_INTERNALS = {
    "sys.meta_path", "sys.path_hooks", "sys.path_importer_cache", "sys.settrace", "sys.setprofile", "sys.monitoring",
    "sys.excepthook", "sys.unraisablehook", "sys.addaudithook", "sys._current_frames", "gc.get_objects",
    "gc.get_referrers", "gc.get_referents", "threading.settrace", "threading.setprofile", "builtins.__build_class__",
}  # fmt: skip
_INTERNAL_MODULES = {"_ctypes", "linecache", "cffi", "_testcapi", "_testinternalcapi", "dis", "bytecode"}
_NUMBERS = re.compile(
    r"^ctypes\.(c_(u?int(8|16|32|64)?|u?short|u?long|u?longlong|u?byte|s?size_t|float|double|bool)|sizeof)$"
)
"""What of `ctypes` only counts; all else reads and writes memory."""
_LOOKS = {
    "sys._getframe", "sys._getframemodulename", "inspect.stack", "inspect.currentframe", "inspect.trace",
    "inspect.getsource", "inspect.getsourcelines", "inspect.getsourcefile", "inspect.getouterframes",
    "inspect.getframeinfo", "traceback.extract_stack", "traceback.walk_stack", "traceback.format_stack",
    "traceback.print_stack",
}  # fmt: skip
_FRAME_PARTS = {"f_back", "f_code", "f_lineno", "tb_frame"}
_CODE_PARTS = {"__code__", "__defaults__", "__kwdefaults__", "__closure__", "cell_contents", "co_consts", "co_code"}
_READ_PARTS = {"__subclasses__", "co_consts", "cell_contents", "__closure__"}
_CODE_RUNNERS = {
    "exec", "eval", "compile", "types.CodeType", "types.FunctionType", "runpy.run_path", "runpy.run_module",
}  # fmt: skip
_DECODERS = re.compile(r"^((base64|binascii|codecs|marshal|pickle|zlib|gzip|bz2|lzma)\.|bytes\.fromhex|chr$)")
_PROCESSES = {"os.fork", "os.forkpty", "os.dup2", "os.closerange", "os.write", "os.pwrite", "os.writev"}
_STARTERS = {"threading.Thread", "threading.Timer", "_thread.start_new_thread", "multiprocessing.Process"}
# By these a program can tell a box, a test run or a day from another one. Honest programs read them, too.
_SURROUNDINGS = {
    "os.environ", "os.getenv", "os.environb", "os.getuid", "os.geteuid", "os.getlogin", "os.getpid",
    "os.getppid", "os.uname", "os.getcwd", "os.cpu_count", "os.ttyname", "os.isatty", "getpass.getuser",
    "socket.gethostname", "socket.getfqdn", "sys.modules", "sys.flags", "sys.argv", "sys.orig_argv",
    "sys.executable", "sys.path", "sys.gettrace", "sys.getprofile", "sys._xoptions", "sys.stdin.isatty",
    "sys.stdout.isatty", "sys.gettotalrefcount", "sys.dont_write_bytecode",
    "pkgutil.get_data", "resource.getrusage", "threading.active_count",
    "threading.enumerate", "gc.get_count", "sys.getrefcount", "sys.getrecursionlimit", "random.random",
    "os.urandom",
}  # fmt: skip
# No box shows another day, so that no other layer can say more of these.
_CLOCKS = {
    "time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "time.asctime", "time.clock_gettime",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today", "datetime.datetime.today",
}  # fmt: skip
# Names that say enough whoever owns them: no alias hides these.
_TELLING = {
    "_exit": "hard-exit", "SkipTest": "skips-tests", "from_item_and_call": "patches-other-code",
    "pytestmark": "knows-it-is-tested", "pluginmanager": "knows-it-is-tested",
    "runtestprotocol": "knows-it-is-tested",
}  # fmt: skip
_TRACES = re.compile(
    r"PYTEST_|_pytest\b|\bpytestmark\b|/\.dockerenv|/proc/(1|self)/cgroup|\bpy\.test\b|pytest_runtest|/sbx/"
    r"|conftest|(^|/)tests?/|\btest_\w+\.py\b|\.pyc\b|__pycache__|GITHUB_ACTIONS"
)
_HARD_TRACES = (
    "PYTEST_", "pytestmark", "_pytest", "/.dockerenv", "/proc/1/cgroup", "/proc/self/cgroup",
    "pytest_runtest", "/sbx/",
)  # fmt: skip
_PLACES = re.compile(r"\.git(/|$)|/(proc|sys|etc)/")
_RUNNERS = _FRAMEWORKS | {"py.test", "_pytest.config", "unittest.case"}
# Data that programs do set: a person looks, nothing more.
_OPEN_ATTRIBUTES = {
    "sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.path", "sys.dont_write_bytecode", "sys.tracebacklimit",
    "sys.ps1", "sys.ps2", "os.environ",
}  # fmt: skip


def facts(tree: ast.Module) -> Iterator[Fact]:
    """Every fact of a module, as often as it stands there."""
    names = Names(tree)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) in prose:
            continue
        for find in _FINDERS:
            yield from find(node, names)
    for statement in at_import(tree):
        yield from _import_time(statement, names)


def _framework(node: ast.AST, names: Names) -> Iterator[Fact]:
    modules: list[str | None] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        modules = [node.module]
    elif isinstance(node, ast.Call | ast.Subscript):
        dotted = names.dotted(node)
        modules = [dotted] if dotted else []
    for module in modules:
        top = (module or "").split(".")[0]
        if top in _FRAMEWORKS:
            yield "imports-test-framework", f"imports {module}", True
        if top in _INTERNAL_MODULES or (top == "ctypes" and _is_memory(node, module or "")):
            yield "interpreter-internals", f"imports {module}", True


def _is_memory(node: ast.AST, module: str) -> bool:
    """Whether more of `ctypes` is used than its numbers; `import ctypes` alone does nothing yet."""
    if isinstance(node, ast.Import):
        return module != "ctypes"
    if isinstance(node, ast.ImportFrom):
        return module != "ctypes" or not all(_NUMBERS.match(f"ctypes.{alias.name}") for alias in node.names)
    return not _NUMBERS.match(module)


def _named(node: ast.AST, names: Names) -> Iterator[Fact]:
    """Facts that a name alone is."""
    if not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return
    dotted = names.dotted(node)
    if dotted is None:
        if isinstance(node, ast.Attribute) and node.attr in _TELLING:
            yield _TELLING[node.attr], f"uses {node.attr}", True
        return
    yield from _meaning(dotted)


def _meaning(dotted: str) -> Iterator[Fact]:
    top, _, last = dotted.rpartition(".")
    if dotted in _EXITS or last == "_exit":
        yield "hard-exit", f"uses {dotted}, which ends the process without a result", True
    elif top.split(".")[0] in _FRAMEWORKS and last in _SKIPS:
        yield "skips-tests", f"uses {dotted}", True
    elif dotted in _INTERNALS or (top.split(".")[0] == "ctypes" and not _NUMBERS.match(dotted)):
        yield "interpreter-internals", f"uses {dotted}", True
    elif dotted in _LOOKS:
        yield "looks-at-caller", f"uses {dotted}", False
    elif top == "atexit":
        yield "runs-at-exit", "registers code to run at exit", False
    elif dotted in _CLOCKS:
        yield "reads-clock", f"reads {dotted}", False
    elif dotted in _SURROUNDINGS or dotted.startswith("platform."):
        yield "reads-surroundings", f"reads {dotted}", False
    elif dotted in _PROCESSES:
        yield "low-level-process", f"uses {dotted}", False


def _surroundings(node: ast.AST, names: Names) -> Iterator[Fact]:
    """Where the code lies, who loaded it, what the kernel says of its process."""
    if isinstance(node, ast.Name) and node.id in ("__file__", "__loader__", "__spec__"):
        yield "reads-surroundings", f"reads {node.id}", False
    elif isinstance(node, ast.Attribute) and node.attr in ("__file__", "__loader__", "__spec__", "get_source"):
        yield "reads-surroundings", f"reads {node.attr}", False
    elif isinstance(node, ast.Constant) and _PLACES.match(str(node.value)):
        yield "reads-surroundings", f"names {str(node.value)[:40]}", False


def _parts(node: ast.AST, names: Names) -> Iterator[Fact]:
    """Attributes of frames and of code objects."""
    if isinstance(node, ast.Attribute) and node.attr in ("f_locals", "f_globals", "gi_frame", "cr_frame", "ag_frame"):
        yield "reads-callers-values", f"reads {node.attr}", False
    elif isinstance(node, ast.Attribute) and node.attr in _FRAME_PARTS:
        yield "looks-at-caller", f"reads {node.attr}", False
    if isinstance(node, ast.Attribute) and node.attr in _CODE_PARTS and not isinstance(node.ctx, ast.Load):
        yield "interpreter-internals", f"sets {node.attr}", True
    if isinstance(node, ast.Attribute) and node.attr in _READ_PARTS:
        yield "interpreter-internals", f"reads {node.attr}", False


def _traces(node: ast.AST, names: Names) -> Iterator[Fact]:
    put_together = isinstance(node, ast.Constant | ast.BinOp | ast.JoinedStr | ast.Call | ast.Subscript)
    text = names.text(node) if put_together else None
    if text is not None and len(text) < 500 and not isinstance(getattr(node, "value", ""), bytes):
        found = _TRACES.search(text)
        if found:
            hard = found[0] in _HARD_TRACES
            yield "knows-it-is-tested", f"the text {text[:60]!r} speaks of the test run", hard
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        asked = [names.text(side) for side in sides]
        if any(text in _RUNNERS for text in asked) and not all(text is not None for text in asked):
            yield "knows-it-is-tested", f"compares with {next(t for t in asked if t in _RUNNERS)!r}", True
    if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("get", "startswith", "endswith", "find", "index", "count", "__contains__"):
            if names.text(node.args[0]) in _RUNNERS:
                yield "knows-it-is-tested", f"asks for {names.text(node.args[0])!r}", True


def _computed(node: ast.AST, names: Names) -> Iterator[Fact]:
    if not isinstance(node, ast.Call):
        return
    name = names.dotted(node.func)
    if name in _CODE_RUNNERS:
        inner = [part.func for arg in node.args for part in ast.walk(arg) if isinstance(part, ast.Call)]
        hidden = any(_DECODERS.match(names.dotted(called) or "") for called in inner)
        yield ("hidden-code" if hidden else "computed-code"), f"calls {name}", hidden
    elif name in ("marshal.loads", "marshal.load"):
        yield "hidden-code", f"calls {name}", True
    elif name in ("__import__", "importlib.import_module") and node.args and names.text(node.args[0]) is None:
        if not is_confined(node, names):
            yield "computed-code", "imports a module by a computed name", False
    elif name in ("getattr", "setattr", "delattr") and len(node.args) > 1 and names.dotted(node.args[0]):
        if not isinstance(node.args[1], ast.Constant):
            yield "attribute-by-name", f"{name} with a computed name on {names.dotted(node.args[0])}", False


def _alphabets(node: ast.AST, names: Names) -> Iterator[Fact]:
    """An identifier of letters that look alike and are not: another name than a reader takes it for."""
    for field in ("id", "attr", "name", "arg", "asname"):
        word = getattr(node, field, None)
        if isinstance(word, str) and not word.isascii():
            scripts = {unicodedata.name(letter, "?").split()[0] for letter in word if letter.isalpha()}
            if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}) > 1:
                yield "mixed-alphabets", f"the name {word!a} mixes letters of several alphabets", True


def _patches_others(node: ast.AST, names: Names) -> Iterator[Fact]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.comprehension):
        targets = [node.target]
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        targets = [node.optional_vars]
    for target in targets:
        for part in ast.walk(target) if isinstance(target, ast.Tuple | ast.List) else [target]:
            yield from _foreign(part, names)
    if isinstance(node, ast.Call):
        yield from _setter(node, names)
    if isinstance(node, ast.Attribute) and node.attr == "handlers" and isinstance(node.ctx, ast.Load):
        if names.dotted(node.value) == "logging.root" or _is_logger(node.value, names):
            yield "patches-other-code", "uses the handlers of a logger, which others have put there", False


def _is_logger(node: ast.expr, names: Names) -> bool:
    return isinstance(node, ast.Call) and names.dotted(node.func) == "logging.getLogger"


def _foreign(target: ast.AST, names: Names) -> Iterator[Fact]:
    """An attribute or an item of the standard library or the test framework that is set."""
    if isinstance(target, ast.Subscript):
        owner = names.dotted(target.value)
        if owner in ("sys.modules", "sys.path_importer_cache", "__builtins__") or (owner or "").endswith(".__dict__"):
            yield "patches-other-code", f"changes {owner}", True
        elif isinstance(target.value, ast.Call) and names.dotted(target.value.func) in ("vars", "globals"):
            owned = [names.dotted(argument) for argument in target.value.args]
            if any(_is_foreign(name) for name in owned):
                yield "patches-other-code", f"changes what belongs to {owned[0]}", True
    elif isinstance(target, ast.Attribute):
        dotted = names.dotted(target)
        if dotted in _OPEN_ATTRIBUTES:
            yield "patches-other-code", f"sets {dotted}", False
        elif _is_foreign(names.dotted(target.value)):
            yield "patches-other-code", f"changes {ast.unparse(target)[:60]}, which belongs to others", True


def _is_foreign(dotted: str | None) -> bool:
    if dotted is None:
        return False
    top = dotted.split(".")[0]
    # `builtins.x` reads as `x` and the module itself as `builtins`.
    return top in sys.stdlib_module_names or top in _FRAMEWORKS or top == "__builtins__"


def _setter(node: ast.Call, names: Names) -> Iterator[Fact]:
    """`setattr(time, ...)`, `time.__setattr__(...)`, `vars(time).update(...)`, `mock.patch(...)`."""
    name = names.dotted(node.func) or ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    owner: str | None = None
    if name in ("setattr", "delattr") and node.args:
        owner = names.dotted(node.args[0])
    elif method in ("__setattr__", "__delattr__") and isinstance(node.func, ast.Attribute):
        owner = names.dotted(node.args[0]) if name.startswith(("object.", "type.")) and node.args else None
        owner = owner or names.dotted(node.func.value)
        owner = None if owner in ("object", "type") else owner
    elif method in ("update", "setdefault", "pop", "__setitem__", "clear") and isinstance(node.func, ast.Attribute):
        held = node.func.value
        table = names.dotted(held) or ""
        owner = table.removesuffix(".__dict__") if table.endswith(".__dict__") else None
        owner = table if table == "sys.modules" and method != "get" else owner
        if isinstance(held, ast.Call) and names.dotted(held.func) == "vars" and held.args:
            owner = names.dotted(held.args[0])
    if _is_foreign(owner):
        yield "patches-other-code", f"{method or name} on {owner}", True


_FINDERS: tuple[Callable[[ast.AST, Names], Iterator[Fact]], ...] = (
    _framework, _named, _surroundings, _parts, _traces, _computed, always_equal, swallows, _alphabets,
    _patches_others, asks_for_name,
)  # fmt: skip


def at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, those inside `if`, `try`, `with`, loops and classes too."""
    queue: list[ast.stmt] = list(tree.body)
    while queue:
        statement = queue.pop()
        if isinstance(statement, ast.If) and "__main__" in ast.unparse(statement.test):
            continue
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = list(ast.iter_child_nodes(statement))
            handlers = [part for node in inner if isinstance(node, ast.ExceptHandler) for part in node.body]
            queue += [part for part in inner if isinstance(part, ast.stmt)] + handlers


def _import_time(statement: ast.stmt, names: Names) -> Iterator[Fact]:
    if isinstance(statement, ast.Raise):
        if "SystemExit" in ast.unparse(statement):
            yield "exits-at-import", "ends the process when the module is imported", True
        return
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) or statement.value is None:
        return
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Call):
            named = names.dotted(node.func) or ""
            if named in ("sys.exit", "exit", "quit"):
                yield "exits-at-import", "ends the process when the module is imported", True
            if named in _STARTERS:
                yield "thread-at-import", "starts a thread when the module is imported", False
            if named in ("warnings.simplefilter", "warnings.filterwarnings"):
                yield "silences-warnings", "sets a filter of warnings when the module is imported", False
