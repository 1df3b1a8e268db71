import pytest

from grid import Matrix, ShapeError

SQUARE = Matrix([[1, 2], [3, 4]])
WIDE = Matrix([[1, 2, 3], [4, 5, 6]])


class TestShape:
    def test_sizes(self):
        assert (WIDE.height, WIDE.width) == (2, 3)
        assert (Matrix([]).height, Matrix([]).width) == (0, 0)

    def test_ragged_rows_are_refused(self):
        with pytest.raises(ShapeError):
            Matrix([[1, 2], [3]])

    def test_rows_are_copied(self):
        row = [1, 2]
        matrix = Matrix([row])
        row.append(3)
        assert matrix.rows == [[1, 2]]

    def test_value_at_a_place(self):
        assert WIDE[1, 2] == 6
        assert WIDE[0, 1] == 2

    def test_value_at_a_place_of_a_wider_one(self):
        seats = Matrix([[11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [31, 32, 33, 34, 35]])
        assert (seats[0, 3], seats[2, 1], seats[-1, -1]) == (14, 32, 35)

    def test_transposed(self):
        assert WIDE.transposed() == Matrix([[1, 4], [2, 5], [3, 6]])

    def test_without_row_and_column(self):
        assert Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]]).without(0, 1) == Matrix([[4, 6], [7, 9]])

    def test_is_no_number(self):
        assert SQUARE != 1


class TestArithmetic:
    def test_sum(self):
        assert SQUARE + Matrix([[10, 20], [30, 40]]) == Matrix([[11, 22], [33, 44]])

    def test_sum_of_different_sizes(self):
        with pytest.raises(ShapeError):
            SQUARE + WIDE

    def test_product(self):
        assert SQUARE * WIDE == Matrix([[9, 12, 15], [19, 26, 33]])
        assert SQUARE * 2 == Matrix([[2, 4], [6, 8]])

    def test_product_of_sizes_that_do_not_fit(self):
        with pytest.raises(ShapeError, match="3 columns and 2 rows"):
            WIDE * SQUARE

    def test_power(self):
        assert SQUARE**0 == Matrix([[1, 0], [0, 1]])
        assert SQUARE**3 == SQUARE * SQUARE * SQUARE

    def test_determinant(self):
        assert SQUARE.determinant() == -2
        assert Matrix([[0, 1, 2], [3, 4, 5], [6, 7, 9]]).determinant() == -3
        assert Matrix([[1, 2], [2, 4]]).determinant() == 0

    def test_determinant_of_a_rectangle(self):
        with pytest.raises(ShapeError):
            WIDE.determinant()

    def test_trace(self):
        assert SQUARE.trace() == 5
        assert WIDE.trace() == 6

    def test_symmetry(self):
        assert Matrix([[1, 7], [7, 2]]).is_symmetric()
        assert not SQUARE.is_symmetric()

    def test_scaled_rows(self):
        assert Matrix([[1, 3], [0, 0]]).scaled_rows() == Matrix([[0.25, 0.75], [0, 0]])
