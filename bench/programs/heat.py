"""heat.py WIDTH STEPS OUTPUT: heat in a box of WIDTH x WIDTH x 16 cells for each rank, stacked on
the first axis, by the explicit scheme, with mpi4py. Ranks exchange faces of WIDTH x WIDTH doubles
at every step; the box begins with hot and cold spots. Writes the temperatures of each rank's last
cells to OUTPUT, in the order of the ranks."""

from faces import begin, differences, exchange
from mpi4py import MPI
from steps import arguments, timed, write

RATE = 0.12


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    box = begin(width, comm.rank)
    with timed(comm, steps):
        for _ in range(steps):
            exchange(box, comm)
            box[1:-1, 1:-1, 1:-1] += RATE * differences(box)
    write(comm, output, box[1:-1, :: max(1, width // 16), :])


main()
