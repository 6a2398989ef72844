"""turbulence.py WIDTH STEPS OUTPUT: a gas in 32 x WIDTH cells for each rank, stacked on the first
axis of a periodic rectangle, that eddies move: the lattice Boltzmann method (nine velocities, one
relaxation time) with mpi4py. At every step ranks exchange, up and down, the three rows of WIDTH
doubles that stream into the other's cells. Writes some rows of each rank's last density and
momentum to OUTPUT, in the order of the ranks."""

import numpy
from mpi4py import MPI
from steps import arguments, timed, write

SPEEDS = [(0, 0), (0, 1), (0, -1), (1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1)]
UP, DOWN = slice(3, 6), slice(6, 9)
WEIGHTS = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 9, 1 / 36, 1 / 36]
RELAXATION = 1.9
ROWS = 32


def balance(density, up, along, result) -> None:
    """What collisions drive the parts towards."""
    square = 1.5 * (up**2 + along**2)
    for part, (weight, (y, x)) in enumerate(zip(WEIGHTS, SPEEDS, strict=True)):
        speed = 3 * (y * up + x * along)
        result[part] = weight * density * (1 + speed + 0.5 * speed**2 - square)


def moments(parts):
    density = parts.sum(axis=0)
    up = (parts[UP].sum(axis=0) - parts[DOWN].sum(axis=0)) / density
    along = (parts[1] - parts[2] + parts[4] - parts[5] + parts[7] - parts[8]) / density
    return density, up, along


def begin(width: int, rank: int, ranks: int) -> numpy.ndarray:
    """Eddies of all sizes; without pressure waves, as they are waves of a stream function."""
    random = numpy.random.default_rng(7)
    turn = 2 * numpy.pi
    y = turn * numpy.arange(rank * ROWS, (rank + 1) * ROWS)[:, None] / (ranks * ROWS)
    x = turn * numpy.arange(width) / width
    up, along = numpy.zeros((ROWS, width)), numpy.zeros((ROWS, width))
    for _ in range(60):
        rows = random.integers(-ranks * ROWS // 12, ranks * ROWS // 12 + 1)
        columns = random.integers(width // 100, width // 12)
        phase = rows * y + columns * x + random.uniform(0, turn)
        waves = numpy.array((columns / width, rows / (ranks * ROWS)))
        size = random.normal() / numpy.hypot(*waves) ** 1.5 * numpy.sin(phase)
        up += waves[0] * size
        along -= waves[1] * size
    fastest = MPI.COMM_WORLD.allreduce(float(numpy.hypot(up, along).max()), MPI.MAX)
    parts = numpy.empty((9, ROWS, width))
    balance(numpy.ones_like(up), 0.08 / fastest * up, 0.08 / fastest * along, parts)
    return parts


def stream(parts: numpy.ndarray, comm: MPI.Comm) -> None:
    above, below = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for part, (_, x) in enumerate(SPEEDS):
        parts[part] = numpy.roll(parts[part], x, axis=1)
    from_below, from_above = numpy.empty((2, 3, parts.shape[2]))
    comm.Sendrecv(parts[UP, -1].copy(), above, 1, from_below, below, 1)
    comm.Sendrecv(parts[DOWN, 0].copy(), below, 2, from_above, above, 2)
    parts[UP, 1:] = parts[UP, :-1].copy()
    parts[UP, 0] = from_below
    parts[DOWN, :-1] = parts[DOWN, 1:].copy()
    parts[DOWN, -1] = from_above


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    parts = begin(width, comm.rank, comm.size)
    balanced = numpy.empty_like(parts)
    with timed(comm, steps):
        for _ in range(steps):
            balance(*moments(parts), balanced)
            parts += RELAXATION * (balanced - parts)
            stream(parts, comm)
    write(comm, output, numpy.array(moments(parts))[:, ::4])


main()
