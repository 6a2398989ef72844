"""crystal.py WIDTH STEPS OUTPUT: molecular dynamics of a crystal of WIDTH x WIDTH x 16 atoms a
rank, stacked on the first axis, with mpi4py: springs between neighbours that harden as they are
stretched, a periodic box, the velocity Verlet scheme. Ranks exchange the positions (x, y, z) of the
atoms of their outer layers at every step. Writes the positions of some of each rank's last atoms to
OUTPUT, in the order of the ranks."""

import numpy
from mpi4py import MPI
from steps import arguments, timed, write

LAYERS = 16
TIME_STEP = 0.02
HARDENING = 4.0


def begin(width: int, rank: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Atoms on their lattice, with a layer of ghosts on either side, and thermal speeds."""
    random = numpy.random.default_rng(rank)
    layers = numpy.arange(rank * LAYERS - 1, (rank + 1) * LAYERS + 1.0)
    x = numpy.arange(float(width))
    places = numpy.stack(numpy.meshgrid(layers, x, x, indexing="ij"), axis=-1)
    speeds = numpy.zeros_like(places)
    speeds[1:-1] = random.normal(0, 0.1, (LAYERS, width, width, 3))
    return places, speeds


def exchange(places: numpy.ndarray, comm: MPI.Comm) -> None:
    """The crystal ends at its first and last layer, whose ghosts stay where they are."""
    below = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(places[-2], above, 1, places[0], below, 1)
    comm.Sendrecv(places[1], below, 2, places[-1], above, 2)


def forces(places: numpy.ndarray, width: int) -> numpy.ndarray:
    total = numpy.zeros_like(places)
    for axis in range(3):
        apart = numpy.roll(places, -1, axis=axis) - places
        apart[..., axis] -= 1
        if axis > 0:
            apart[..., axis] += width * (apart[..., axis] < -0.5 * width)
        apart *= 1 + HARDENING * (apart**2).sum(axis=-1, keepdims=True)
        total += apart
        total -= numpy.roll(apart, 1, axis=axis)
    return total


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    places, speeds = begin(width, comm.rank)
    own = slice(1, -1)
    with timed(comm, steps):
        pull = forces(places, width)
        for _ in range(steps):
            speeds[own] += 0.5 * TIME_STEP * pull[own]
            places[own] += TIME_STEP * speeds[own]
            exchange(places, comm)
            pull = forces(places, width)
            speeds[own] += 0.5 * TIME_STEP * pull[own]
    write(comm, output, places[own, :: max(1, width // 8), :: max(1, width // 8)])


main()
