"""An invoice: lines, a discount and tax."""

from dataclasses import dataclass, field

from money.amount import Money


@dataclass
class Line:
    """Some pieces of one article."""

    article: str
    price: Money
    count: int = 1

    @property
    def total(self):
        return self.price.times(self.count)


@dataclass
class Invoice:
    """Lines in one currency; `tax` and `discount` in percent."""

    tax: int = 20
    discount: int = 0
    currency: str = "EUR"
    lines: list = field(default_factory=list)

    def add(self, article, price, count=1):
        """Put a line on the invoice and return it; an article that is there already gets more pieces."""
        for line in self.lines:
            if line.article == article and line.price == price:
                line.count += count
                return line
        line = Line(article, price, count)
        self.lines.append(line)
        return line

    def net(self):
        """All lines together, less the discount."""
        total = sum((line.total for line in self.lines), Money(0, self.currency))
        return total - total.times(self.discount / 100)

    def gross(self):
        """Net and tax."""
        net = self.net()
        return net + net.times(self.tax / 100)
