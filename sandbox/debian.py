"""A small Python root file system out of Debian packages, for machines that reach no image registry.

apt resolves and downloads with the machine's own mirrors and keys, into a state of its own; the packages are
then unpacked, and none of their scripts runs. No root is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sandbox import Progress, SandboxUnavailable

PACKAGES = (
    *("base-files", "bash", "ca-certificates", "coreutils", "dash", "debianutils", "diffutils", "findutils"),
    *("git", "grep", "gzip", "hostname", "libc-bin", "libstdc++6", "make", "netbase", "patch", "procps", "python3"),
    *("python3-pip", "python3-venv", "sed", "tar", "tzdata", "unzip", "usr-is-merged", "xz-utils"),
)
_VERSION = "1"
_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_TIMEOUT_S = 900

_ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": "root:x:0:\ntty:x:5:\nnogroup:x:65534:\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\n",
    "shells": "/bin/sh\n/bin/bash\n",
}


def recipe_hash() -> str:
    """Changes when the root file system would be made in another way."""
    return hashlib.sha256("\0".join((_VERSION, *PACKAGES, *_ETC.values())).encode()).hexdigest()


def can_build() -> bool:
    return all(shutil.which(tool) for tool in ("apt-get", "dpkg-deb", "tar"))


@contextlib.contextmanager
def root_tar(progress: Progress) -> Iterator[IO[bytes]]:
    """The root file system as a tar stream, readable while the context is open. One build at a time, by a lock."""
    with _workplace() as place:
        root = unpacked(place, progress)
        argv = ["tar", "--create", "--numeric-owner", "--owner=0", "--group=0", "--directory", str(root), "."]
        with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
            if process.stdout is None:
                raise SandboxUnavailable("tar gave no output")
            yield process.stdout
            process.stdout.close()
        if process.returncode != 0:
            raise SandboxUnavailable(f"tar could not pack the base image (exit code {process.returncode})")


@contextlib.contextmanager
def _workplace() -> Iterator[Path]:
    """A folder with a fixed name: what a killed build left in it goes away with the next one."""
    place = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "regreen", "base")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def unpacked(place: Path, progress: Progress) -> Path:
    """Make the root file system below `place`, beside what it was made from; the folder that holds it."""
    root = place / "root"
    progress("base image: download Debian packages")
    packages = _download(place / "apt")
    progress(f"base image: unpack {len(packages)} Debian packages")
    _unpack(packages, root)
    _finish(root)
    return root


def _download(place: Path) -> list[Path]:
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (place / folder).mkdir(parents=True)
    nothing_installed = place / "status"
    nothing_installed.touch()
    options = {
        "Dir::State": place / "state",
        "Dir::State::status": nothing_installed,
        "Dir::Cache": place / "cache",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "",  # its download user could not write to our folder
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
    }
    apt = ["apt-get", "-qq", "-y", *(f"-o{key}={value}" for key, value in options.items())]
    _run([*apt, "update"])
    _run([*apt, "--download-only", "install", *PACKAGES])
    return sorted((place / "cache/archives").glob("*.deb"))


def _unpack(packages: list[Path], root: Path) -> None:
    for name in _MERGED:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    for package in packages:
        unpack = ["tar", "--extract", "--keep-directory-symlink", "--no-same-owner", "--directory", str(root)]
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as source:
            _run(unpack, stdin=source.stdout)
        if source.returncode != 0:
            raise SandboxUnavailable(f"dpkg-deb could not read {package.name}")


def _finish(root: Path) -> None:
    """What the packages' own scripts would have done, as far as tests can see it."""
    for name, text in _ETC.items():
        (root / "etc" / name).write_text(text, "utf-8")
    for link, target in {"python": "python3", "awk": "mawk"}.items():
        if not (root / "usr/bin" / link).exists():
            (root / "usr/bin" / link).symlink_to(target)
    (root / "etc/localtime").unlink(missing_ok=True)
    (root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    authorities = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    bundle = root / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(b"".join(file.read_bytes().rstrip() + b"\n" for file in authorities))
    for folder in ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info"):
        shutil.rmtree(root / folder, ignore_errors=True)
    for folder in ("tmp", "var/tmp"):
        (root / folder).mkdir(exist_ok=True)
        (root / folder).chmod(0o1777)


def _run(argv: list[str], stdin: IO[bytes] | None = None) -> None:
    env = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(
            argv,
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            timeout=_TIMEOUT_S,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        log = error.stdout[-2000:].decode("utf-8", "replace").strip()
        raise SandboxUnavailable(f"{argv[0]} failed while making the base image: {log}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxUnavailable(f"{argv[0]} failed while making the base image: {error}") from error
