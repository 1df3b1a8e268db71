"""Where templates come from. A loader gives (source, stamp); another stamp means that the source has changed."""

from pathlib import Path

from stencil.errors import TemplateNotFound


class Loader:
    """Promises `load(name)` and `names()`."""

    def load(self, name):
        """(source, stamp). TemplateNotFound for a name that it does not know."""
        raise NotImplementedError

    def names(self):
        """All names, sorted."""
        raise NotImplementedError

    def stamp(self, name):
        return self.load(name)[1]


class DictLoader(Loader):
    def __init__(self, templates):
        self.templates = templates

    def load(self, name):
        if name not in self.templates:
            raise TemplateNotFound(name)
        source = self.templates[name]
        return source, hash(source)

    def names(self):
        return sorted(self.templates)


class FileLoader(Loader):
    """Templates in a folder. A name never leads out of it."""

    def __init__(self, folder, encoding="utf-8"):
        self.folder = Path(folder)
        self.encoding = encoding

    def load(self, name):
        path = self._path(name)
        try:
            source = path.read_text(encoding=self.encoding)
        except (FileNotFoundError, IsADirectoryError):
            raise TemplateNotFound(name) from None
        return source, self._changed(path)

    def names(self):
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.folder).as_posix() for path in found)

    def _path(self, name):
        parts = name.split("/")
        if ".." in parts or "" in parts:
            raise TemplateNotFound(name)
        return self.folder.joinpath(*parts)

    @staticmethod
    def _changed(path):
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size


class ChoiceLoader(Loader):
    """The first loader that knows a name wins."""

    def __init__(self, loaders):
        self.loaders = list(loaders)

    def load(self, name):
        for loader in self.loaders:
            try:
                return loader.load(name)
            except TemplateNotFound:
                continue
        raise TemplateNotFound(name)

    def names(self):
        return sorted({name for loader in self.loaders for name in loader.names()})


class PrefixLoader(Loader):
    """`mail/welcome` is `welcome` of the loader with the prefix `mail`."""

    def __init__(self, loaders, delimiter="/"):
        self.loaders = loaders
        self.delimiter = delimiter

    def load(self, name):
        prefix, _, rest = name.partition(self.delimiter)
        if prefix not in self.loaders:
            raise TemplateNotFound(name)
        try:
            return self.loaders[prefix].load(rest)
        except TemplateNotFound:
            raise TemplateNotFound(name) from None

    def names(self):
        return sorted(
            f"{prefix}{self.delimiter}{name}" for prefix, loader in self.loaders.items() for name in loader.names()
        )
