from signals import Hub, Recorder, Signal, chain, collect


def test_listeners_answer():
    signal = Signal("ping")
    signal.connect(lambda value: value + 1)
    signal.connect(lambda value: value * 2)
    assert signal.send(5) == [6, 10]


def test_priority():
    signal = Signal("ping")
    signal.connect(lambda: "low")
    signal.connect(lambda: "high", priority=5)
    signal.connect(lambda: "later")
    assert signal.send() == ["high", "low", "later"]


def test_connected_once():
    signal, recorder = Signal("ping"), Recorder()
    signal.connect(recorder)
    signal.connect(recorder)
    signal.send("a")
    assert recorder.heard == ["a"]


def test_disconnect():
    signal, recorder = Signal("ping"), Recorder()
    disconnect = signal.connect(recorder)
    signal.connect(lambda payload: None)
    disconnect()
    signal.send("a")
    assert recorder.heard == []
    assert len(signal) == 1


def test_decorator_leaves_the_function():
    signal = Signal("ping")

    @signal.listener
    def answer():
        return 42

    assert answer() == 42
    assert signal.send() == [42]


def test_one_failure_does_not_stop_the_others():
    signal = Signal("ping")
    signal.connect(lambda: 1 / 0)
    signal.connect(lambda: "fine")
    assert signal.send() == ["fine"]
    assert [type(error) for error in signal.errors] == [ZeroDivisionError]


def test_a_failure_leaves_the_answers_of_the_others_alone():
    signal = Signal("order")
    signal.connect(lambda order: order["price"])
    signal.connect(lambda order: len(order))
    signal.connect(lambda order: sorted(order), priority=2)
    assert signal.send({"count": 3, "item": "tea"}) == [["count", "item"], 2]
    assert signal.send({"price": 12}) == [["price"], 12, 1]
    assert signal.send("tea") == [["a", "e", "t"], 3]
    assert [type(error) for error in signal.errors] == [KeyError, TypeError]


def test_signals_share_nothing():
    first, second = Signal("a"), Signal("b")
    first.connect(print)
    assert len(second) == 0


def test_first_answer():
    signal = Signal("ask")
    signal.connect(lambda value: None)
    signal.connect(lambda value: value or 0)
    signal.connect(lambda value: "late")
    assert signal.first("x") == "x"
    assert signal.first(0) == 0


def test_listener_may_leave_while_it_is_called():
    signal = Signal("ping")
    leave = []
    leave.append(signal.connect(lambda: leave[0]()))
    signal.connect(lambda: "stays")
    assert signal.send() == [None, "stays"]
    assert signal.send() == ["stays"]


def test_hub():
    hub = Hub()
    exact, star, other = Recorder(), Recorder(), Recorder()
    hub.signal("order.paid").connect(exact)
    hub.signal("order.*").connect(star)
    hub.signal("orders").connect(other)
    assert hub.publish("order.paid", 7) == 2
    assert hub.publish("order.sent") == 1
    assert hub.publish("orders", 1) == 1
    assert (exact.heard, star.heard, other.heard) == ([7], [7, None], [1])
    assert hub.signal("orders") is hub.signal("orders")


def test_recorder_forgets():
    recorder = Recorder(keep=2)
    assert [recorder(value) for value in "abc"] == [1, 2, 2]
    assert recorder.heard == ["b", "c"]


def test_collect():
    assert collect(1) == [1]
    assert collect(2) == [2]
    mine = []
    assert collect(3, mine) is mine


def test_chain():
    calls = []
    handle = chain(lambda value: value + 1, lambda value: None if value > 5 else value, lambda value: calls.append(value) or value)
    assert handle(1) == 2
    assert handle(9) is None
    assert calls == [2]
