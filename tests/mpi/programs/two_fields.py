"""Two fields on communicators of their own, told apart by their names or by hints.

two_fields.py [names] [KEY=VALUE ...]: the hints go to the communicator of "velocity". Prints for
each field, operation and type the largest error of what was received: FIELD OPERATION TYPE ERROR.
"""

import sys
from array import array
from math import sin

from mpi4py import MPI

LENGTH = 30000
world = MPI.COMM_WORLD
rank, size = world.rank, world.size


def values(of_rank, code):
    # Sums of these are exact in both types, whatever their order. None is a whole number: among
    # those a bound leaves simple fractions as they are. Of fewer digits all would be left exact.
    halves = (round(2**21 * sin(0.002 * i + of_rank)) + 0.5 for i in range(LENGTH))
    return array(code, (half / 2**21 for half in halves))


def field(name, arguments):
    comm = world.Dup()
    if "names" in arguments:
        comm.Set_name(name)
    hints = [each for each in arguments if "=" in each]
    if name == "velocity" and hints:
        info = MPI.Info.Create()
        for hint in hints:
            key, value = hint.split("=")
            info[key] = value
        comm.Set_info(info)
        info.Free()
    return comm


def allreduce(comm, code, all_values):
    result = array(code, bytes(LENGTH * array(code).itemsize))
    comm.Allreduce(all_values[rank], result, MPI.SUM)
    return result, [sum(each) for each in zip(*all_values, strict=True)]


def bcast(comm, code, all_values):
    result = all_values[rank][:]
    comm.Bcast(result, 0)
    return result, all_values[0]


def allgather(comm, code, all_values):
    result = array(code, bytes(size * LENGTH * array(code).itemsize))
    comm.Allgather(all_values[rank], result)
    return result, [value for each in all_values for value in each]


def gatherv(comm, code, all_values):
    counts = [LENGTH - 100 * r for r in range(size)]
    result = array(code, bytes(sum(counts) * array(code).itemsize))
    comm.Gatherv(all_values[rank][: counts[rank]], (result, counts), 0)
    expected = [v for r, each in enumerate(all_values) for v in each[: counts[r]]]
    return (result, expected) if rank == 0 else ([], [])


def send(comm, code, all_values):
    result = array(code, bytes(LENGTH * array(code).itemsize))
    request = comm.Irecv(result, (rank - 1) % size)
    comm.Send(all_values[rank], (rank + 1) % size)
    request.Wait()
    return result, all_values[rank - 1]


def main(arguments):
    for name in ("pressure", "velocity"):
        comm = field(name, arguments)
        for operation in (allreduce, bcast, allgather, gatherv, send):
            for code, type_name in (("d", "double"), ("f", "float")):
                received, expected = operation(comm, code, [values(r, code) for r in range(size)])
                errors = [abs(a - b) for a, b in zip(received, expected, strict=True)]
                worst = world.allreduce(max(errors, default=0), MPI.MAX)
                if rank == 0:
                    print(name, operation.__name__, type_name, worst)


main(sys.argv[1:])
