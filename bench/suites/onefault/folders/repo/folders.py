"""A tree of folders and files, kept in memory."""


class NotFound(LookupError):
    """There is nothing at this path."""


class Node:
    """A file with a size, or a folder with children by name."""

    def __init__(self, name, size=0, children=None):
        self.name = name
        self.size = size
        self.children = children
        self.parent = None

    @classmethod
    def folder(cls, name):
        return cls(name, children={})

    @property
    def is_folder(self):
        return self.children is not None

    @property
    def path(self):
        """"/a/b"; the root is "/"."""
        if self.parent is None:
            return "/"
        above = self.parent.path
        return f"{above}{self.name}" if above == "/" else f"{above}/{self.name}"

    def add(self, child):
        """Put a node into this folder and return it; ValueError for a name that is taken."""
        if child.name in self.children:
            raise ValueError(f"{child.name} is there already")
        child.parent = self
        self.children[child.name] = child
        return child

    def total(self):
        """Size of a file, or of everything in a folder."""
        if not self.is_folder:
            return self.size
        return sum(child.total() for child in self.children.values())

    def depth(self):
        """Levels below this node."""
        if not self.is_folder:
            return 0
        return 1 + max((child.depth() for child in self.children.values()), default=0)

    def walk(self):
        """This node and all below it; folders before what they hold, names in order."""
        yield self
        if self.is_folder:
            for name in sorted(self.children):
                yield from self.children[name].walk()


class Tree:
    """Paths with slashes; the first one may be left out."""

    def __init__(self):
        self.root = Node.folder("")

    def get(self, path):
        """The node at a path. NotFound names the first part that is missing."""
        node = self.root
        for part in self._parts(path):
            if not node.is_folder or part not in node.children:
                raise NotFound(f"{part} in {node.path}")
            node = node.children[part]
        return node

    def write(self, path, size):
        """Make a file, with the folders above it, or give an old one a new size."""
        *above, name = self._parts(path)
        node = self.root
        for part in above:
            node = node.children[part] if part in node.children else node.add(Node.folder(part))
        if name in node.children:
            node.children[name].size = size
            return node.children[name]
        return node.add(Node(name, size))

    def remove(self, path):
        """Take a node away and return what it held in bytes. The root stays."""
        node = self.get(path)
        if node.parent is None:
            raise ValueError("the root stays")
        del node.parent.children[node.name]
        return node.total()

    def move(self, source, target):
        """Put a node into another folder."""
        node, folder = self.get(source), self.get(target)
        above = folder
        while above is not None:
            if above is node:
                raise ValueError("a folder cannot be moved into itself")
            above = above.parent
        old = node.parent
        folder.add(node)
        del old.children[node.name]

    def find(self, ending):
        """Paths of all files whose name ends so, whatever its case."""
        return [
            node.path for node in self.root.walk() if not node.is_folder and node.name.lower().endswith(ending.lower())
        ]

    def biggest(self, count=3):
        """(size, path) of the biggest files; equal ones by path."""
        files = [node for node in self.root.walk() if not node.is_folder]
        files.sort(key=lambda node: (-node.size, node.path))
        return [(node.size, node.path) for node in files[:count]]

    @staticmethod
    def _parts(path):
        return [part for part in path.split("/") if part]
