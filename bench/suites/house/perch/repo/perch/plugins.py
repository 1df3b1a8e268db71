"""Readers and exporters are known by their names as soon as their class is made."""

from perch.errors import PerchError


class Plugin:
    """Base of kinds of plug-ins. Each kind has a table of its own; a class without a name is abstract."""

    name = ""
    known = {}

    def __init_subclass__(cls, kind=False, **options):
        super().__init_subclass__(**options)
        if kind:
            cls.known = {}
            return
        if not cls.__dict__.get("name"):
            return
        if cls.name in cls.known:
            raise PerchError(f"{cls.name!r} is the name of {cls.known[cls.name].__name__} already")
        cls.known[cls.name] = cls

    @classmethod
    def named(cls, name):
        """Return the plug-in of that name. Raises PerchError."""
        try:
            return cls.known[name]
        except KeyError:
            raise PerchError(f"{name!r} is none of {', '.join(sorted(cls.known)) or 'nothing'}") from None


class Reader(Plugin, kind=True):
    """Reads one generation of files."""

    generation = 0

    def suits(self, text):
        """Whether the text is of this generation."""
        raise NotImplementedError

    def read(self, text):
        """Return the document of this generation. Raises BadFile."""
        raise NotImplementedError


class Exporter(Plugin, kind=True):
    """Writes sightings for other programs."""

    def export(self, sightings, taxonomy):
        """Return text."""
        return "".join(f"{line}\n" for line in [*self.head(), *(self.line(one, taxonomy) for one in sightings), *self.foot()])

    def head(self):
        return []

    def line(self, sighting, taxonomy):
        raise NotImplementedError

    def foot(self):
        return []
