import pytest

from grid import Matrix, ShapeError


def test_identity_and_power():
    assert Matrix.identity(0) == Matrix([])
    assert Matrix.identity(3).rows == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    fibonacci = Matrix([[1, 1], [1, 0]])
    assert [(fibonacci**n)[0, 1] for n in range(8)] == [0, 1, 1, 2, 3, 5, 8, 13]


def test_shape():
    with pytest.raises(ShapeError):
        Matrix([[], [1]])
    tall = Matrix([[1], [2], [3]])
    assert (tall.height, tall.width) == (3, 1)
    assert tall[2, 0] == 3
    assert tall.transposed().rows == [[1, 2, 3]]
    rows = [[5, 6]]
    kept = Matrix(rows)
    rows[0][0] = 0
    assert kept[0, 0] == 5
    assert (kept == "x") is False


def test_sum_and_product():
    assert Matrix([[1, 2, 3]]) + Matrix([[4, 5, 6]]) == Matrix([[5, 7, 9]])
    assert Matrix([[1, 2, 3]]) * Matrix([[4], [5], [6]]) == Matrix([[32]])
    assert Matrix([[1], [2]]) * Matrix([[3, 4]]) == Matrix([[3, 4], [6, 8]])
    assert Matrix([[1, -2]]) * -3 == Matrix([[-3, 6]])
    for act in (Matrix.__add__, Matrix.__mul__):
        with pytest.raises(ShapeError):
            act(Matrix([[1, 2]]), Matrix([[1, 2, 3]]))
    with pytest.raises(ShapeError):
        Matrix([[1, 2]]) + Matrix([[1], [2]])


def test_without():
    matrix = Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert matrix.without(2, 2).rows == [[1, 2], [4, 5]]
    assert matrix.without(1, 0).rows == [[2, 3], [8, 9]]


@pytest.mark.parametrize(
    "rows, expected",
    [
        ([], 1),
        ([[7]], 7),
        ([[0, 1], [1, 0]], -1),
        ([[2, 0, 1], [1, 3, 2], [1, 1, 1]], 0),
        ([[2, 0, 1], [1, 3, 2], [1, 1, 2]], 6),
        ([[0, 2, 0], [0, 0, 3], [4, 0, 0]], 24),
        ([[0, 0], [0, 5]], 0),
    ],
)
def test_determinant(rows, expected):
    assert Matrix(rows).determinant() == expected


def test_trace_and_symmetry():
    assert Matrix([[1, 9], [9, 2], [5, 5]]).trace() == 3
    assert Matrix([]).trace() == 0
    assert Matrix([[1, 2, 3], [2, 0, 4], [3, 4, 9]]).is_symmetric()
    assert not Matrix([[1, 2, 3]]).is_symmetric()


def test_scaled_rows():
    assert Matrix([[2, 2, 4], [1, -1, 0]]).scaled_rows() == Matrix([[0.25, 0.25, 0.5], [1, -1, 0]])
