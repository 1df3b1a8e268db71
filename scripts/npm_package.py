"""An npm package, pinned by version and by the sha512 that npm's own metadata gives, read without installing it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class Package:
    """One npm package, and what its tarball must hash to."""

    name: str
    version: str
    sha512: str

    @contextmanager
    def opened(self) -> Iterator[Unpacked]:
        """The package's files, fetched with `npm pack`. Ends the script when they are not the pinned ones."""
        spec = f"{self.name}@{self.version}"
        with TemporaryDirectory() as folder:
            argv = ["npm", "pack", spec, "--json"]
            done = subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True)
            tarball = Path(folder) / json.loads(done.stdout)[0]["filename"]
            digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
            if digest != self.sha512:
                raise SystemExit(f"{spec}: sha512 is {digest}, expected {self.sha512}")
            with tarfile.open(tarball) as archive:
                yield Unpacked(archive)


@dataclass(frozen=True)
class Unpacked:
    """The files of a package."""

    archive: tarfile.TarFile

    def read(self, name: str) -> bytes:
        held = self.archive.extractfile(f"package/{name}")
        assert held is not None, f"{name} is not in the package"
        return held.read()

    @property
    def licence(self) -> str:
        return self.read("LICENSE").decode()


def packed(data: object) -> bytes:
    """JSON, packed without a time stamp: the same data gives the same bytes."""
    return gzip.compress(json.dumps(data, sort_keys=True, separators=(",", ":")).encode(), mtime=0)


def notice_text(opening: str, packages: list[tuple[Package, str]]) -> str:
    """The NOTICE of what was taken out of packages: an opening, then name, version and licence of each."""
    return "\n".join([opening, *(f"{each.name} {each.version}\n\n{text.strip()}\n" for each, text in packages)])
