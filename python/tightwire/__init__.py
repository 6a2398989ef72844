"""Tightwire from Python: what a job under `tightwire` does, its bounds, and the codec.

A program needs none of this: `mpirun -n 4 tightwire python3 script.py` compresses its messages as
they are. Everything here is plain Python over the C API (tightwire.h, tightwire_codec.h).

    import tightwire

    with tightwire.bound(1e-4):        # by all ranks alike
        comm.Allreduce(MPI.IN_PLACE, field)

    small = tightwire.compress(array, error_bound=1e-4)
    array = tightwire.decompress(small)
"""

from __future__ import annotations

from tightwire.job import Statistics, available, bound, get, hints, set, setting, statistics

__all__ = [
    "Statistics",
    "available",
    "bound",
    "compress",
    "decompress",
    "get",
    "hints",
    "set",
    "setting",
    "statistics",
]
__version__ = "0.1.0"


def __getattr__(name: str):
    """The codec needs NumPy, all else does not."""
    if name not in ("compress", "decompress"):
        raise AttributeError(f"module 'tightwire' has no attribute {name!r}")
    from tightwire import arrays

    return getattr(arrays, name)
