"""The codec on NumPy arrays. What it makes of one is a chunked stream (docs/dev/format.md) behind a
header that says type and shape."""

from __future__ import annotations

import ctypes
import math
import struct

import numpy

from tightwire.library import Parameters, Stream, codec_library

MAGIC = b"TWA1"
MOST_DIMENSIONS = 32
FLOATS = {"f4": 5, "f8": 6}
INTEGERS = {"1": 1, "2": 2, "4": 3, "8": 4}
BYTES = 0


def _kind(dtype: numpy.dtype) -> tuple[int, int]:
    """The codec's type, and how many values take turns in an element."""
    name = dtype.str.lstrip("<|=")
    if dtype.hasobject or dtype.kind == "O":
        raise TypeError(f"arrays of {dtype} hold Python's objects, which cannot be compressed")
    if name in FLOATS:
        return FLOATS[name], 1
    if name in ("c8", "c16"):
        return FLOATS["f4" if name == "c8" else "f8"], 2
    if dtype.kind in "iu" and name[:1] in "iu" and name[1:] in INTEGERS:
        return INTEGERS[name[1:]], 1
    return BYTES, 1


def _header(array: numpy.ndarray) -> bytes:
    dtype = numpy.lib.format.dtype_to_descr(array.dtype)
    if not isinstance(dtype, str):
        raise TypeError("arrays of records cannot be compressed; take their fields one by one")
    name = dtype.encode()
    if array.ndim > MOST_DIMENSIONS:
        raise ValueError(f"an array of {array.ndim} dimensions is too much: at most 32")
    return MAGIC + struct.pack(f"<BB{array.ndim}Q", len(name), array.ndim, *array.shape) + name


def _read_header(data: memoryview) -> tuple[numpy.dtype, tuple[int, ...], memoryview]:
    if bytes(data[:4]) != MAGIC or len(data) < 6:
        raise ValueError("this is nothing that tightwire.compress() has made")
    length, dimensions = data[4], data[5]
    end = 6 + 8 * dimensions
    if dimensions > MOST_DIMENSIONS or len(data) < end + length:
        raise ValueError("the compressed array is cut off")
    try:
        shape = struct.unpack_from(f"<{dimensions}Q", data, 6)
        dtype = numpy.dtype(bytes(data[end : end + length]).decode("ascii"))
    except (TypeError, ValueError, UnicodeDecodeError):
        raise ValueError("the compressed array is damaged: its type is none of NumPy's") from None
    if dtype.hasobject or dtype.itemsize == 0:
        raise ValueError("the compressed array is damaged: its type holds no values")
    return dtype, shape, data[end + length :]


def _parameters(array: numpy.ndarray, turns: int, error_bound: float | None) -> Parameters:
    parameters = Parameters()
    codec_library().tightwire_codec_defaults(ctypes.byref(parameters))
    if error_bound is not None:
        parameters.error_bound = error_bound
    parameters.components = turns
    row = array.shape[-1] * turns if array.ndim > 1 else 0
    plane = row * array.shape[-2] if array.ndim > 2 else 0
    if row < 2**32:
        parameters.row_length = row
        parameters.plane_length = plane if plane < 2**32 else 0
    return parameters


def _check(code: int) -> None:
    if code:
        raise ValueError(codec_library().tightwire_codec_describe(code).decode())


def _address(memory) -> ctypes.c_void_p:
    array = (
        numpy.frombuffer(memory, numpy.uint8) if not isinstance(memory, numpy.ndarray) else memory
    )
    return ctypes.c_void_p(array.ctypes.data if array.size else None)


def compress(array, error_bound: float | None = None, codec: str | None = None) -> bytes:
    """The array as bytes for decompress(): exactly, or with no finite value further from its own
    than `error_bound` (absolute), which takes an array of float, double or complex numbers; for
    complex ones it holds for each part. NaN and infinities come back bit for bit either way.

    `codec`: "exact" without a bound, "bounded" with one; `tightwire compress` lists others.
    """
    array = numpy.asarray(array)
    shape = array.shape
    array = numpy.ascontiguousarray(array).reshape(shape)
    kind, turns = _kind(array.dtype)
    if error_bound is not None:
        error_bound = float(error_bound)
        if not (math.isfinite(error_bound) and error_bound > 0):
            raise ValueError(f"error_bound = {error_bound} is no positive number")
        if kind not in FLOATS.values():
            raise TypeError(f"an error bound is for floating-point numbers, not for {array.dtype}")
    name = (codec or ("exact" if error_bound is None else "bounded")).encode()
    item = {BYTES: 1}.get(kind, array.dtype.itemsize // turns)
    count = array.nbytes // item
    library, size = codec_library(), ctypes.c_size_t()
    parameters = ctypes.byref(_parameters(array, turns, error_bound))
    _check(
        library.tightwire_codec_chunked_max_encoded_size(
            name, kind, ctypes.c_size_t(count), parameters, ctypes.byref(size)
        )
    )
    encoded = numpy.empty(size.value, numpy.uint8)
    _check(
        library.tightwire_codec_chunked_encode(
            name, kind, _address(array), ctypes.c_size_t(count), parameters, None, None, None,
            _address(encoded), size, ctypes.byref(size),
        )
    )  # fmt: skip
    return _header(array) + encoded[: size.value].tobytes()


def decompress(data, most_bytes: int | None = None) -> numpy.ndarray:
    """The array that compress() was given. Bytes that are none of compress()'s, or damaged, are a
    ValueError. `most_bytes`: what an array from a source that is not trusted may take.
    """
    dtype, shape, encoded = _read_header(memoryview(data).cast("B"))
    kind, turns = _kind(dtype)
    size = math.prod(shape) * dtype.itemsize
    if most_bytes is not None and size > most_bytes:
        raise ValueError(f"the array takes {size} bytes, more than {most_bytes}")
    stream, library = Stream(), codec_library()
    place, length = _address(encoded), ctypes.c_size_t(len(encoded))
    _check(library.tightwire_codec_chunked_inspect(place, length, ctypes.byref(stream)))
    item = {BYTES: 1}.get(kind, dtype.itemsize // turns)
    count = size // item
    if stream.count != count or stream.type != kind:
        raise ValueError("the compressed array is damaged: its header is of another one")
    array = numpy.empty(shape, dtype)
    _check(
        library.tightwire_codec_chunked_decode(
            kind, place, length, None, None, None, _address(array), ctypes.c_size_t(count)
        )
    )
    return array
