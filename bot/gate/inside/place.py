"""Makes a box look like a machine that somebody works on, so that code which is right only in boxes is wrong here.

Another folder, a git repository, another user, host name, environment and command line, and an interpreter without
flags. What is replaced are the functions that tell of it; the kernel's own answers are those of the box.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

NAME, HOST, NUMBER = "robin", "studio-7", 1000
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_ENVIRONMENT = {
    "USER": NAME, "LOGNAME": NAME, "SHELL": "/bin/bash", "TERM": "xterm-256color", "EDITOR": "vim", "HOSTNAME": HOST,
}  # fmt: skip


def without_flags() -> None:
    """Start this program again as people start theirs: no -I, no -B, nothing of ours in the environment."""
    if not sys.flags.isolated:
        return
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    home = {"HOME": os.environ.get("HOME", "/tmp")}
    os.execve(sys.executable, [sys.executable, os.path.abspath(sys.argv[0])], {**kept, **home, **_ENVIRONMENT})


def moved(tree: str) -> str:
    """The tree as a checkout in a folder of another name, as far as the box lets it be made."""
    path = tree
    try:
        path = os.path.join(os.path.dirname(tree), "project")
        os.rename(tree, path)
    except OSError:
        path = tree
    try:
        os.mkdir(os.path.join(path, ".git"))
        with open(os.path.join(path, ".git", "HEAD"), "w", encoding="ascii") as stream:
            stream.write("ref: refs/heads/main\n")
    except OSError:
        pass
    return path


def pretend() -> None:
    """Another user on another machine; called before anything of the project is imported."""
    here: Any = os
    here.getuid = here.geteuid = here.getgid = here.getegid = lambda: NUMBER
    here.getlogin = lambda: NAME
    told = os.uname()
    here.uname = lambda: os.uname_result((told.sysname, HOST, told.release, told.version, told.machine))
    socket.gethostname = lambda: HOST
    socket.getfqdn = lambda name="": name or HOST
    sys.argv[:] = [""]
    sys.orig_argv[:] = [sys.executable]
