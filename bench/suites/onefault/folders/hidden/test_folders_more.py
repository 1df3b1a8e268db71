import pytest

from folders import Node, NotFound, Tree


def make(**sizes):
    tree = Tree()
    for path, size in sizes.items():
        tree.write(path.replace("__", "/"), size)
    return tree


def paths(tree):
    return [node.path for node in tree.root.walk()]


def test_write_and_get():
    tree = make(b__c__d=1, b__a=2, a=3)
    assert paths(tree) == ["/", "/a", "/b", "/b/a", "/b/c", "/b/c/d"]
    assert tree.get("") is tree.root
    assert tree.get("b/c/d").parent is tree.get("b/c")
    again = tree.get("a")
    assert tree.write("a", 7) is again
    assert (again.size, tree.root.total()) == (7, 10)
    for path, message in (("x", "x in /"), ("b/x/y", "x in /b"), ("a/b", "b in /a"), ("b/c/q", "q in /b/c")):
        with pytest.raises(NotFound) as caught:
            tree.get(path)
        assert str(caught.value) == message


def test_node():
    leaf = Node("x", 5)
    assert (leaf.is_folder, leaf.total(), leaf.depth(), leaf.path) == (False, 5, 0, "/")
    folder = Node.folder("f")
    assert folder.is_folder
    assert folder.add(leaf) is leaf
    assert leaf.parent is folder
    assert folder.depth() == 1
    with pytest.raises(ValueError):
        folder.add(Node("x"))
    assert folder.children["x"] is leaf
    assert Node.folder("g").children is not Node.folder("g").children


def test_depth():
    tree = make(a=1, b__c__d__e=1, f__g=1)
    assert (tree.root.depth(), tree.get("b").depth(), tree.get("f").depth(), Tree().root.depth()) == (4, 3, 1, 1)


def test_remove():
    tree = make(a__b=1, a__c=2, d=4)
    assert tree.remove("a/b") == 1
    assert tree.remove("d") == 4
    assert paths(tree) == ["/", "/a", "/a/c"]
    assert tree.remove("a") == 2
    assert paths(tree) == ["/"]
    for path in ("", "/"):
        with pytest.raises(ValueError):
            tree.remove(path)
    with pytest.raises(NotFound):
        tree.remove("a")


def test_move():
    tree = make(a__b__c=1, d__x=2)
    tree.move("a/b", "d")
    assert paths(tree) == ["/", "/a", "/d", "/d/b", "/d/b/c", "/d/x"]
    assert tree.get("d/b").parent is tree.get("d")
    with pytest.raises(ValueError):
        tree.move("d", "d/b")
    with pytest.raises(ValueError):
        tree.move("/", "a")
    tree.write("x", 9)
    with pytest.raises(ValueError):
        tree.move("d/x", "/")
    assert (tree.get("d/x").size, tree.get("x").size) == (2, 9)
    assert tree.get("d/x").path == "/d/x"


def test_find_and_biggest():
    tree = make(a__B=3, a__b=3, ab__cB=5, c=1)
    assert tree.find("b") == ["/a/B", "/a/b", "/ab/cB"]
    assert tree.find("CB") == ["/ab/cB"]
    assert tree.find("") == ["/a/B", "/a/b", "/ab/cB", "/c"]
    assert tree.biggest(9) == [(5, "/ab/cB"), (3, "/a/B"), (3, "/a/b"), (1, "/c")]
    assert len(tree.biggest()) == 3
    assert tree.biggest(0) == []
    assert Tree().biggest() == []
