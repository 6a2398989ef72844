"""Bounds, statistics and hints from Python: prints a word and the largest error of each step."""

import numpy
import tightwire
from mpi4py import MPI

comm = MPI.COMM_WORLD
SIZE = 1 << 16
field = numpy.sin(1e-3 * numpy.arange(SIZE)) + comm.rank
right = sum(numpy.sin(1e-3 * numpy.arange(SIZE)) + rank for rank in range(comm.size))


def error(communicator=comm):
    total = numpy.empty_like(field)
    communicator.Allreduce(field, total)
    largest = numpy.array(numpy.abs(total - right).max())
    comm.Allreduce(MPI.IN_PLACE, largest, MPI.MAX)
    return float(largest)


def tell(word, value):
    if comm.rank == 0:
        print(word, value, flush=True)


tell("available", tightwire.available())
tell("before", error())
with tightwire.bound(1e-2):
    tell("bound", tightwire.get("error-bound"))
    tell("within", error())
tell("after", error())
tell("restored", tightwire.get("error-bound"))
named = comm.Dup()
tightwire.hints(named, error_bound=1e-3)
tell("hinted", error(named))
try:
    tightwire.set("error-bound", -1)
except ValueError as problem:
    tell("refused", str(problem).split()[0])
statistics = tightwire.statistics()
tell("calls", statistics.calls)
tell("ratio", statistics.ratio)
