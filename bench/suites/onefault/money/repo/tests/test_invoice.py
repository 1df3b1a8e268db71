from money import Invoice, Line, Money


def test_line_counts_its_pieces():
    assert Line("nail", Money(12), 10).total == Money(120)


def test_net_and_gross():
    invoice = Invoice(tax=20)
    invoice.add("saw", Money(1999))
    invoice.add("nail", Money(12), 10)
    assert invoice.net() == Money(2119)
    assert invoice.gross() == Money(2543)


def test_discount_is_taken_before_tax():
    invoice = Invoice(tax=10, discount=50)
    invoice.add("saw", Money(2000))
    assert invoice.gross() == Money(1100)


def test_same_article_gets_more_pieces():
    invoice = Invoice()
    first = invoice.add("nail", Money(12), 10)
    assert invoice.add("nail", Money(12), 5) is first
    assert first.count == 15
    assert len(invoice.lines) == 1


def test_new_price_is_a_new_line():
    invoice = Invoice()
    invoice.add("nail", Money(12))
    invoice.add("nail", Money(13))
    assert [line.price.cents for line in invoice.lines] == [12, 13]


def test_other_currency():
    invoice = Invoice(currency="USD")
    invoice.add("saw", Money(100, "USD"))
    assert invoice.net() == Money(100, "USD")
