"""The codec on NumPy arrays: python/tightwire/arrays.py."""

import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
import tightwire

TYPES = ["f4", "f8", "c8", "c16", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "f2",
         "M8[s]", "S5", ">f8", ">i4"]  # fmt: skip


@pytest.fixture(autouse=True)
def library(build_folder, monkeypatch):
    found = sorted((build_folder / "lib").glob("libtightwire_codec.so*"))
    if not found:
        found = sorted(build_folder.rglob("libtightwire_codec.so*"))
    assert found, "the build has no libtightwire_codec"
    folder = str(found[0].parent)
    monkeypatch.setattr("tightwire.library.PLACES", (folder,))


def wave(shape):
    values = numpy.arange(numpy.prod(shape)).reshape(shape)
    return numpy.sin(0.01 * values) + 0.1 * numpy.cos(0.003 * values)


def bits(array):
    return array.dtype, array.shape, array.tobytes()


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (1000,), (30, 40), (5, 6, 7), (3, 0, 2)])
def test_exactly_as_it_was(name, shape):
    random = numpy.random.default_rng(1)
    dtype = numpy.dtype(name)
    size = int(numpy.prod(shape)) * dtype.itemsize
    array = numpy.frombuffer(random.bytes(size), dtype).reshape(shape)
    assert bits(tightwire.decompress(tightwire.compress(array))) == bits(array)


@pytest.mark.parametrize("name", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("bound", [1e-2, 1e-5])
def test_within_the_bound(name, bound):
    array = wave((60, 70)).astype(name)
    array.flat[7] = numpy.nan
    small = tightwire.compress(array, error_bound=bound)
    back = tightwire.decompress(small)
    part = array.real.dtype
    before, after = array.view(part).astype("f8"), back.view(part).astype("f8")
    error = numpy.nanmax(numpy.abs(before - after))
    assert 0 < error <= bound
    assert numpy.array_equal(numpy.isnan(before), numpy.isnan(after))
    assert len(small) < array.nbytes


def test_smooth_values_shrink():
    array = wave((200, 300))
    exact, bounded = tightwire.compress(array), tightwire.compress(array, error_bound=1e-3)
    assert len(bounded) < len(exact) / 4 < array.nbytes / 4


def test_views_are_taken_as_they_look():
    array = wave((40, 50))[::2, ::-1].T
    assert numpy.array_equal(tightwire.decompress(tightwire.compress(array)), array)
    assert tightwire.decompress(tightwire.compress([1.5, 2.5])).tolist() == [1.5, 2.5]


@pytest.mark.parametrize("bound", [0, -1, float("nan"), float("inf")])
def test_a_bound_is_a_positive_number(bound):
    with pytest.raises(ValueError, match="no positive number"):
        tightwire.compress(wave(10), error_bound=bound)


def test_what_cannot_be_compressed():
    with pytest.raises(TypeError, match="floating-point"):
        tightwire.compress(numpy.arange(10), error_bound=1e-3)
    with pytest.raises(TypeError, match="objects"):
        tightwire.compress(numpy.array([{}, []], dtype=object))
    with pytest.raises(TypeError, match="records"):
        tightwire.compress(numpy.zeros(3, dtype=[("a", "i4"), ("b", "f8")]))
    with pytest.raises(ValueError, match="no codec"):
        tightwire.compress(wave(10), codec="best")


def test_damaged_bytes_are_an_error_or_an_array():
    small = tightwire.compress(wave((20, 30)), error_bound=1e-3)
    for size in range(0, len(small), 5):
        with pytest.raises(ValueError):
            tightwire.decompress(small[:size])
    for at in range(min(60, len(small))):
        changed = bytearray(small)
        changed[at] ^= 0x41
        try:
            tightwire.decompress(bytes(changed), most_bytes=1 << 20)
        except ValueError:
            continue


def test_sizes_can_be_limited():
    small = tightwire.compress(numpy.zeros(1 << 20))
    with pytest.raises(ValueError, match="more than"):
        tightwire.decompress(small, most_bytes=1 << 20)


def test_without_tightwire():
    assert not tightwire.available()
    with tightwire.bound(1e-4):
        pass
    with pytest.raises(RuntimeError, match="does not run under Tightwire"):
        tightwire.statistics()
