"""spectral.py WIDTH STEPS OUTPUT: a passive scalar that flows over a periodic square of WIDTH x
WIDTH points and spreads, by a pseudo-spectral scheme with mpi4py. Each rank has a slab of rows; a
Fourier transform turns the slabs by MPI_Alltoall, two in each step, of complex doubles. Writes some
rows of each rank's last slab to OUTPUT, in the order of the ranks."""

import numpy
from mpi4py import MPI
from steps import arguments, timed, write

SPREADING = 2e-4
TIME_STEP = 1e-3


class Slabs:
    """Turns slabs of rows into slabs of columns, and back."""

    def __init__(self, width: int, comm: MPI.Comm):
        self.comm, self.width, self.own = comm, width, width // comm.size

    def turned(self, slab: numpy.ndarray) -> numpy.ndarray:
        blocks = slab.reshape(self.own, self.comm.size, self.own).transpose(1, 2, 0).copy()
        received = numpy.empty_like(blocks)
        self.comm.Alltoall(blocks, received)
        return received.transpose(1, 0, 2).reshape(self.own, self.width)


def begin(width: int, rank: int, ranks: int) -> numpy.ndarray:
    """Smooth spots of all sizes."""
    random = numpy.random.default_rng(7)
    own = width // ranks
    y = numpy.arange(rank * own, (rank + 1) * own)[:, None] / width
    x = numpy.arange(width) / width
    field = numpy.zeros((own, width))
    for _ in range(24):
        centre, size = random.random(2), random.uniform(0.02, 0.2)
        away = 1 - numpy.cos(2 * numpy.pi * (y - centre[0]))
        away = away + 1 - numpy.cos(2 * numpy.pi * (x - centre[1]))
        field += random.uniform(-1, 1) * numpy.exp(-away / size**2)
    return field


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    slabs = Slabs(width, comm)
    field = begin(width, comm.rank, comm.size)
    y = numpy.arange(comm.rank * slabs.own, (comm.rank + 1) * slabs.own)[:, None] / width
    speed = numpy.sin(2 * numpy.pi * y)  # of the flow along x, over a grid step in time
    waves = 2 * numpy.pi * numpy.fft.fftfreq(width, 1 / width)
    own_waves = waves[comm.rank * slabs.own : (comm.rank + 1) * slabs.own, None]
    fading = numpy.exp(-SPREADING * TIME_STEP * (waves**2 + own_waves**2))
    with timed(comm, steps):
        for _ in range(steps):
            along = numpy.fft.fft(field, axis=1)
            along = along * numpy.exp(-1j * waves * speed * TIME_STEP)
            across = numpy.fft.fft(slabs.turned(along), axis=1)
            field = numpy.fft.ifft(
                slabs.turned(numpy.fft.ifft(across * fading, axis=1)), axis=1
            ).real.copy()
    write(comm, output, field[:: max(1, slabs.own // 4)])


main()
