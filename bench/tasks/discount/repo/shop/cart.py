"""The cart: what a customer wants to buy, and the coupon that goes with it."""

from dataclasses import dataclass, field

from shop.pricing import discounted

COUPONS = {"WELCOME10": 10, "SUMMER25": 25}


@dataclass
class Line:
    """One article, as often as it is wanted."""

    name: str
    price: float
    quantity: int = 1

    @property
    def amount(self) -> float:
        return self.price * self.quantity


@dataclass
class Cart:
    """Articles in the order in which they were added."""

    lines: list[Line] = field(default_factory=list)
    coupon: str = ""

    def add(self, name: str, price: float, quantity: int = 1) -> None:
        """Add an article; one that is there already is wanted more often."""
        for line in self.lines:
            if line.name == name and line.price == price:
                line.quantity += quantity
                return
        self.lines.append(Line(name, price, quantity))

    def redeem(self, coupon: str) -> None:
        """Use a coupon for the whole cart. The last one counts."""
        if coupon not in COUPONS:
            raise KeyError(f"no such coupon: {coupon}")
        self.coupon = coupon

    def total(self) -> float:
        """What the customer has to pay."""
        amount = sum(line.amount for line in self.lines)
        if self.coupon:
            return discounted(amount, COUPONS[self.coupon])
        return round(amount, 2)
