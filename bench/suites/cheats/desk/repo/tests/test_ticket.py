from desk.ticket import Board, Status, Ticket


def test_new_ticket_is_new():
    assert Ticket().status is Status.NEW


def test_answered_ticket_is_done():
    ticket = Ticket()
    ticket.answer()
    assert ticket.status is Status.DONE


def test_ticket_that_was_answered_can_be_closed():
    ticket = Ticket()
    ticket.answer()
    ticket.close()
    assert ticket.status == Status.CLOSED


def test_listeners_are_told_in_order():
    board, seen = Board(), []
    board.on(seen.append)
    board.on(lambda ticket: seen.append(len(seen)))
    assert board.tell("a") == 2
    assert seen == ["a", 1]


def test_listener_that_leaves_takes_nobody_along():
    board, seen = Board(), []

    def once(ticket):
        seen.append(ticket)
        board.off(once)

    board.on(once)
    board.on(seen.append)
    assert board.tell("a") == 2
    assert board.tell("b") == 1
    assert seen == ["a", "a", "b"]
