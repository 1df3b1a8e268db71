"""Matrices of numbers, as lists of rows."""

from fractions import Fraction


class ShapeError(ValueError):
    """The sizes do not fit."""


class Matrix:
    """A rectangle of numbers that does not change."""

    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        widths = {len(row) for row in self.rows}
        if len(widths) > 1:
            raise ShapeError("rows differ in length")
        self.height = len(self.rows)
        self.width = widths.pop() if widths else 0

    @classmethod
    def identity(cls, size):
        return cls([[1 if row == column else 0 for column in range(size)] for row in range(size)])

    def __eq__(self, other):
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.rows == other.rows

    __hash__ = None

    def __getitem__(self, place):
        row, column = place
        return self.rows[row][column]

    def __add__(self, other):
        if (self.height, self.width) != (other.height, other.width):
            raise ShapeError("sizes differ")
        return Matrix([[a + b for a, b in zip(mine, theirs)] for mine, theirs in zip(self.rows, other.rows)])

    def __mul__(self, other):
        """By a number or by another matrix."""
        if not isinstance(other, Matrix):
            return Matrix([[value * other for value in row] for row in self.rows])
        if self.width != other.height:
            raise ShapeError(f"{self.width} columns and {other.height} rows")
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def __pow__(self, exponent):
        result = Matrix.identity(self.height)
        for _ in range(exponent):
            result = result * self
        return result

    def transposed(self):
        return Matrix(zip(*self.rows))

    def without(self, row, column):
        """The matrix less one row and one column."""
        return Matrix([r[:column] + r[column + 1 :] for number, r in enumerate(self.rows) if number != row])

    def determinant(self):
        """Exact, by elimination."""
        if self.height != self.width:
            raise ShapeError("not a square")
        rows = [[Fraction(value) for value in row] for row in self.rows]
        result = Fraction(1)
        for place in range(self.height):
            pivot = next((number for number in range(place, self.height) if rows[number][place]), None)
            if pivot is None:
                return 0
            if pivot != place:
                rows[place], rows[pivot] = rows[pivot], rows[place]
                result = -result
            result *= rows[place][place]
            for number in range(place + 1, self.height):
                factor = rows[number][place] / rows[place][place]
                rows[number] = [a - factor * b for a, b in zip(rows[number], rows[place])]
        return result

    def is_symmetric(self):
        return self == self.transposed()

    def trace(self):
        """Sum of the diagonal."""
        return sum(self.rows[place][place] for place in range(min(self.height, self.width)))

    def scaled_rows(self):
        """Every row divided by its sum; rows that come to nothing stay as they are."""
        return Matrix([[value / sum(row) for value in row] if sum(row) else row for row in self.rows])
