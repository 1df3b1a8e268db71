"""Headers of a letter: in order, found without regard to capitals."""

from postbag import words

WIDTH = 76


class Headers:
    """Names and values, a name several times if need be."""

    def __init__(self, pairs=()):
        self._pairs = list(pairs)

    def __iter__(self):
        return iter(self._pairs)

    def __len__(self):
        return len(self._pairs)

    def __contains__(self, name):
        return any(_same(known, name) for known, _ in self._pairs)

    def __getitem__(self, name):
        """Return the first value. Raises KeyError."""
        for known, value in self._pairs:
            if _same(known, name):
                return value
        raise KeyError(name)

    def get(self, name, default=None):
        return self[name] if name in self else default

    def all(self, name):
        return [value for known, value in self._pairs if _same(known, name)]

    def add(self, name, value):
        self._pairs.append((name, value))

    def set(self, name, value):
        """Put one value in the place of all of that name: where the first one stood, or at the end."""
        places = [place for place, (known, _) in enumerate(self._pairs) if _same(known, name)]
        if not places:
            self.add(name, value)
            return
        self._pairs[places[0]] = (name, value)
        for place in reversed(places[1:]):
            del self._pairs[place]

    def copy(self):
        return Headers(self._pairs)

    def lines(self):
        """Return the lines of the letter, folded."""
        return [line for name, value in self._pairs for line in fold(f"{name}: {words.encode(value)}")]


def _same(one, other):
    return one.lower() == other.lower()


def fold(line):
    """Return the line in parts of at most 76 signs, broken at blanks; each further part begins with one."""
    if len(line) <= WIDTH:
        return [line]
    parts = [""]
    for number, word in enumerate(line.split(" ")):
        longer = f"{parts[-1]} {word}" if number else word
        if number and len(longer) > WIDTH and parts[-1].strip():
            parts.append(f" {word}")
        else:
            parts[-1] = longer
    return parts


def unfold(lines):
    """Return [name, value] of header lines, folded ones joined with one blank."""
    pairs = []
    for line in lines:
        if line[:1] in (" ", "\t") and pairs:
            name, value = pairs[-1]
            pairs[-1] = (name, f"{value} {line.strip()}")
        else:
            name, _, value = line.partition(":")
            pairs.append((name.strip(), value.strip()))
    return [(name, words.decode(value.strip())) for name, value in pairs]
