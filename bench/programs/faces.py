"""A box of WIDTH x WIDTH x 16 cells for each rank, stacked on the first axis: its first values, the
faces that neighbours exchange, and the differences of neighbouring cells."""

import numpy
from mpi4py import MPI

LAYERS = 16


def begin(width: int, rank: int) -> numpy.ndarray:
    """Smooth spots of all sizes around 290, with a layer of ghost cells on either side."""
    random = numpy.random.default_rng(rank)
    box = numpy.full((LAYERS + 2, width, width), 290.0)
    x = numpy.arange(width)
    for _ in range(24):
        centre, size = random.integers(0, width, 2), random.uniform(2, width / 8)
        spot = numpy.exp(-(((x[:, None] - centre[0]) ** 2 + (x - centre[1]) ** 2) / size**2))
        box += random.uniform(-5, 5) * spot
    return box


def exchange(box: numpy.ndarray, comm: MPI.Comm) -> None:
    below = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(box[-2], above, 1, box[0], below, 1)
    comm.Sendrecv(box[1], below, 2, box[-1], above, 2)


def differences(box: numpy.ndarray) -> numpy.ndarray:
    """Of the six neighbours of each inner cell, to that cell, in sum."""
    change = box[:-2, 1:-1, 1:-1] + box[2:, 1:-1, 1:-1]
    change += box[1:-1, :-2, 1:-1] + box[1:-1, 2:, 1:-1]
    change += box[1:-1, 1:-1, :-2] + box[1:-1, 1:-1, 2:]
    change -= 6 * box[1:-1, 1:-1, 1:-1]
    return change
