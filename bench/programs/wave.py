"""wave.py WIDTH STEPS OUTPUT: sound in a box of WIDTH x WIDTH x 16 cells for each rank, stacked on
the first axis, by the leapfrog scheme with mpi4py. The speed of sound varies from layer to layer of
the ground. Ranks exchange faces of WIDTH x WIDTH doubles at every step. Writes the pressures of
each rank's last cells to OUTPUT, in the order of the ranks."""

import numpy
from faces import begin, differences, exchange
from mpi4py import MPI
from steps import arguments, timed, write


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    now = begin(width, comm.rank) - 290
    before = now.copy()
    depth = numpy.arange(1, width - 1) / width
    courant = (0.12 + 0.06 * numpy.tanh(8 * (depth - 0.5)))[None, :, None]
    with timed(comm, steps):
        for _ in range(steps):
            exchange(now, comm)
            inner = now[1:-1, 1:-1, 1:-1]
            following = 2 * inner - before[1:-1, 1:-1, 1:-1] + courant * differences(now)
            before, now = now, before
            now[1:-1, 1:-1, 1:-1] = following
    write(comm, output, now[1:-1, :: max(1, width // 16), :])


main()
