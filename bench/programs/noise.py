"""noise.py WIDTH STEPS OUTPUT: what nothing predicts. Ranks exchange faces of WIDTH x WIDTH doubles
as heat.py does, whose bits are all random and others at every step. Writes the last face that each
rank received to OUTPUT, in the order of the ranks."""

import numpy
from faces import exchange
from mpi4py import MPI
from steps import arguments, timed, write


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    # Faces from places of their own in one long row, so that making them costs next to nothing.
    random = numpy.random.default_rng(comm.rank)
    row = random.integers(0, 2**64, 2 * width * width + steps, dtype=numpy.uint64).view(float)
    box = numpy.zeros((4, width, width))
    with timed(comm, steps):
        for step in range(steps):
            box[1:3] = row[step : step + 2 * width * width].reshape(2, width, width)
            exchange(box, comm)
    write(comm, output, box[(0, 3), :: max(1, width // 16)])


main()
