import pytest

from folders import Node, NotFound, Tree


@pytest.fixture
def tree():
    made = Tree()
    made.write("/src/app/main.py", 120)
    made.write("src/app/util.py", 80)
    made.write("/src/README.TXT", 10)
    made.write("/notes.txt", 10)
    return made


def test_paths(tree):
    assert tree.root.path == "/"
    assert tree.get("src").path == "/src"
    assert tree.get("/src/app/main.py").path == "/src/app/main.py"
    assert tree.get("//src//app/").path == "/src/app"


def test_missing_part_is_named(tree):
    with pytest.raises(NotFound, match="lib in /src"):
        tree.get("/src/lib/x")
    with pytest.raises(NotFound, match="deeper in /notes.txt"):
        tree.get("/notes.txt/deeper")


def test_sizes(tree):
    assert tree.get("src").total() == 210
    assert tree.root.total() == 220
    assert Node.folder("empty").total() == 0


def test_writing_again_changes_the_size(tree):
    node = tree.write("/notes.txt", 99)
    assert node is tree.get("notes.txt")
    assert tree.root.total() == 309


def test_depth(tree):
    assert tree.root.depth() == 3
    assert tree.get("notes.txt").depth() == 0
    assert Node.folder("empty").depth() == 1


def test_walk(tree):
    assert [node.path for node in tree.root.walk()] == [
        "/", "/notes.txt", "/src", "/src/README.TXT", "/src/app", "/src/app/main.py", "/src/app/util.py",
    ]  # fmt: skip


def test_name_that_is_taken(tree):
    with pytest.raises(ValueError, match="app is there already"):
        tree.get("src").add(Node("app"))


def test_remove(tree):
    assert tree.remove("/src/app") == 200
    assert tree.root.total() == 20
    with pytest.raises(NotFound):
        tree.get("/src/app/main.py")
    with pytest.raises(ValueError):
        tree.remove("/")


def test_move(tree):
    tree.move("/src/app", "/")
    assert tree.get("/app/main.py").path == "/app/main.py"
    assert tree.get("src").total() == 10


def test_folder_stays_out_of_itself(tree):
    for target in ("/src", "/src/app"):
        with pytest.raises(ValueError, match="into itself"):
            tree.move("/src", target)


def test_name_taken_where_it_is_moved(tree):
    tree.write("/main.py", 1)
    with pytest.raises(ValueError):
        tree.move("/main.py", "/src/app")
    assert tree.get("/main.py").size == 1


def test_find(tree):
    assert tree.find(".txt") == ["/notes.txt", "/src/README.TXT"]
    assert tree.find("app") == []


def test_biggest(tree):
    assert tree.biggest() == [(120, "/src/app/main.py"), (80, "/src/app/util.py"), (10, "/notes.txt")]
    assert tree.biggest(1) == [(120, "/src/app/main.py")]
