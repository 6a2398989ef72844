"""heat.py WIDTH STEPS OUTPUT: heat in a box of WIDTH x WIDTH x 16 cells for each rank, stacked on
the first axis, by the explicit scheme, with mpi4py. Ranks exchange faces of WIDTH x WIDTH doubles
at every step; the box begins with hot and cold spots. Writes the temperatures of each rank's last
cells to OUTPUT, in the order of the ranks."""

import sys
import time
from pathlib import Path

from faces import begin, differences, exchange
from mpi4py import MPI

RATE = 0.12


def main() -> None:
    width, steps, output = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    comm = MPI.COMM_WORLD
    box = begin(width, comm.rank)
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(steps):
        exchange(box, comm)
        box[1:-1, 1:-1, 1:-1] += RATE * differences(box)
    comm.Barrier()
    seconds = time.perf_counter() - start
    rows = comm.gather(box[1:-1, :: max(1, width // 16), :].tobytes())
    if comm.rank == 0:
        output.write_bytes(b"".join(rows))
        print(f"Loop time of {seconds:.6g} on {comm.size} procs for {steps} steps")


main()
