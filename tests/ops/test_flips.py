from seewhy.ops.flips import flip_count


def test_flip_is_the_first_measured_change():
    counts = [0, 10, 20, 30]
    assert flip_count(counts, [7, 7, 2, 7], 7) == 20
    assert flip_count(counts, [7, 7, 7, 7], 7) is None
    assert flip_count(counts, [2, 7, 2, 7], 7, direction="insertion") == 10
    assert flip_count(counts, [2, 2, 2, 2], 7, direction="insertion") is None
