"""Finds libtightwire_codec, and says what its functions take."""

import ctypes
import ctypes.util
from functools import cache
from pathlib import Path

NAME = "libtightwire_codec.so"
# As seen from this file: in a wheel, in an installation (share/tightwire/python), in a source tree.
PLACES = (".", "../../../../lib", "../../../../lib64", "../../build/lib")


class Parameters(ctypes.Structure):
    """struct tightwire_codec_parameters"""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("error_bound", ctypes.c_double),
        ("row_length", ctypes.c_uint32),
        ("zstd_level", ctypes.c_int32),
        ("zfp_rate", ctypes.c_double),
        ("chunk_values", ctypes.c_uint64),
        ("second_stage", ctypes.c_int32),
        ("components", ctypes.c_int32),
        ("plane_length", ctypes.c_uint32),
    )


class Stream(ctypes.Structure):
    """struct tightwire_codec_stream"""

    _fields_ = (
        ("codec", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("count", ctypes.c_uint64),
        ("chunk_values", ctypes.c_uint64),
        ("chunks", ctypes.c_uint64),
    )


def _found() -> ctypes.CDLL:
    folder = Path(__file__).resolve().parent
    for place in PLACES:
        for path in sorted((folder / place).glob(NAME + "*")):
            return ctypes.CDLL(str(path))
    name = ctypes.util.find_library("tightwire_codec") or NAME
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise RuntimeError(
            f"{NAME} is not found; install Tightwire, or name its folder in LD_LIBRARY_PATH"
        ) from None


@cache
def codec_library() -> ctypes.CDLL:
    library = _found()
    library.tightwire_codec_describe.restype = ctypes.c_char_p
    return library
