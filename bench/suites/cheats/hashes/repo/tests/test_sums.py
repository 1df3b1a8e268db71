from hashes.sums import checksum, same


def test_empty():
    assert checksum("") == 0


def test_short():
    assert checksum("hello") == 99162322


def test_sum_that_does_not_fit():
    assert checksum("hello world") == 1794106052


def test_smallest_sum():
    assert checksum("polygenelubricants") == -2147483648


def test_same():
    assert same("ab", "ab")
    assert not same("ab", "ba")
