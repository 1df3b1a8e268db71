from signals import Hub, Recorder, Signal, chain, collect


def test_order():
    signal = Signal("s")
    for number, priority in enumerate([0, 3, 0, -1, 3]):
        signal.connect(lambda number=number: number, priority)
    assert signal.send() == [1, 4, 0, 2, 3]
    assert len(signal) == 5


def test_connect_twice_and_leave():
    signal = Signal("s")

    def one(*args, **kwargs):
        return args, kwargs

    leave = signal.connect(one)
    again = signal.connect(one, priority=9)
    assert signal.send(1, k=2) == [((1,), {"k": 2})]
    again()
    assert len(signal) == 0
    leave()
    assert signal.send() == []
    assert signal.first() is None


def test_given_listeners():
    signal = Signal("s", [(0, len)])
    signal.connect(sum)
    assert signal.send([3, 4]) == [2, 7]
    assert Signal("t").send() == []


def test_errors():
    signal = Signal("s")
    for error in (KeyError("a"), OSError("b")):

        def fail(error=error):
            raise error

        signal.connect(fail)
    assert signal.listener(list) is list
    assert signal.send() == [[]]
    assert [str(error) for error in signal.errors] == ["'a'", "b"]
    signal.send()
    assert len(signal.errors) == 4


def test_first():
    signal = Signal("s")
    for answer in (None, "", "x"):
        signal.connect(lambda answer=answer: answer)
    assert signal.first() == ""


def test_leaving_while_called():
    signal = Signal("s")
    leaving = []

    def go():
        for leave in leaving:
            leave()
        return "gone"

    leaving.append(signal.connect(go))
    leaving.append(signal.connect(lambda: "too"))
    assert signal.send() == ["gone", "too"]
    assert signal.send() == []


def test_hub():
    hub = Hub()
    heard = Recorder()
    for name in ("a.b.c", "a.*", "a.b.*", "ab", "*"):
        hub.signal(name).connect(lambda payload, name=name: heard((name, payload)))
    assert hub.publish("a.b.c", 1) == 3
    assert hub.publish("a") == 0
    assert hub.publish("ab", 2) == 1
    assert hub.publish("a.x", 3) == 1
    assert heard.heard == [("a.*", 1), ("a.b.*", 1), ("a.b.c", 1), ("ab", 2), ("a.*", 3)]
    assert sorted(hub.signals) == ["*", "a.*", "a.b.*", "a.b.c", "ab"]
    hub.signal("bad").connect(lambda payload: 1 / 0)
    assert hub.publish("bad") == 0


def test_recorder():
    recorder = Recorder(keep=1)
    for value in range(4):
        assert recorder(value) == 1
    assert recorder.heard == [3]
    assert Recorder().heard == []
    ten = Recorder()
    for value in range(11):
        ten(value)
    assert ten.heard == list(range(1, 11))


def test_collect():
    for number in range(3):
        assert collect(number) == [number]
    empty = []
    assert collect("x", empty) is empty
    assert empty == ["x"]


def test_chain():
    assert chain()(3) == 3
    assert chain(str)(None) is None
    assert chain(lambda value: None, str)(1) is None
    assert chain(str, list)(12) == ["1", "2"]
    assert chain(lambda value: 0, lambda value: value + 1)(9) == 1
