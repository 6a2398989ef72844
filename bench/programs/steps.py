"""What a program of ours does around its steps: its arguments, the time of its loop, its output."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy
from mpi4py import MPI


def arguments() -> tuple[int, int, Path]:
    """WIDTH STEPS OUTPUT."""
    return int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])


@contextmanager
def timed(comm: MPI.Comm, steps: int) -> Iterator[None]:
    """The loop of all ranks: rank 0 prints its time."""
    comm.Barrier()
    start = time.perf_counter()
    yield
    comm.Barrier()
    seconds = time.perf_counter() - start
    if comm.rank == 0:
        print(f"Loop time of {seconds:.6g} on {comm.size} procs for {steps} steps")


def write(comm: MPI.Comm, output: Path, values: numpy.ndarray) -> None:
    """Those of each rank, in the order of the ranks."""
    parts = comm.gather(values.tobytes())
    if comm.rank == 0:
        output.write_bytes(b"".join(parts))
