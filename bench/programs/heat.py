"""heat.py WIDTH STEPS OUTPUT: heat in a box of WIDTH x WIDTH x 16 cells for each rank, stacked on
the last axis, by the explicit scheme, with mpi4py. Ranks exchange faces of WIDTH x WIDTH doubles
at every step; the box begins with hot and cold spots. Writes the temperatures of each rank's last
cells to OUTPUT, in the order of the ranks."""

import sys
import time
from pathlib import Path

import numpy
from mpi4py import MPI

LAYERS = 16
RATE = 0.12


def begin(width: int, rank: int) -> numpy.ndarray:
    """Smooth spots of all sizes, with a layer of ghost cells on either side."""
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


def step(box: numpy.ndarray) -> None:
    inner = box[1:-1, 1:-1, 1:-1]
    change = box[:-2, 1:-1, 1:-1] + box[2:, 1:-1, 1:-1]
    change += box[1:-1, :-2, 1:-1] + box[1:-1, 2:, 1:-1]
    change += box[1:-1, 1:-1, :-2] + box[1:-1, 1:-1, 2:]
    inner += RATE * (change - 6 * inner)


def main() -> None:
    width, steps, output = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    comm = MPI.COMM_WORLD
    box = begin(width, comm.rank)
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(steps):
        exchange(box, comm)
        step(box)
    comm.Barrier()
    seconds = time.perf_counter() - start
    rows = comm.gather(box[1:-1, :: max(1, width // 16), :].tobytes())
    if comm.rank == 0:
        output.write_bytes(b"".join(rows))
        print(f"Loop time of {seconds:.6g} on {comm.size} procs for {steps} steps")


main()
