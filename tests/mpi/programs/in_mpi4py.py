"""Allreduce, Reduce and Bcast through mpi4py. What it prints: README.md."""

import zlib
from array import array
from math import sin

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def put(*words):
    if rank == 0:
        print(*words)


def put_same(what, digest):
    put("same", what, "yes" if len(set(comm.allgather(digest))) == 1 else "no")


def digest(values):
    return zlib.crc32(values.tobytes())


def integers(count):
    mine = array("i", ((i * 7 + rank * 13) % 1000 - 500 for i in range(count)))
    result = array("i", bytes(4 * count))
    comm.Allreduce(mine, result, MPI.SUM)
    put("exact", f"allreduce-sum-{count}", digest(result))
    result = mine[:]
    comm.Allreduce(MPI.IN_PLACE, result, MPI.MAX)
    put("exact", f"allreduce-max-{count}", digest(result))
    for root in range(size):
        comm.Reduce(mine, result if rank == root else None, MPI.SUM, root)
        put("exact", f"reduce-sum-{count}-{root}", comm.bcast(digest(result), root))
        result = mine[:]
        comm.Bcast(result, root)
        put("exact", f"bcast-{count}-{root}", digest(result))
        put_same(f"bcast-{count}-{root}", digest(result))


def doubles(count):
    mine = array("d", (sin(1e-3 * i) * (rank + 1) + 1e-3 * (i % 17) for i in range(count)))
    result = array("d", bytes(8 * count))
    comm.Allreduce(mine, result, MPI.SUM)
    put("close", f"allreduce-sum-{count}", *map(repr, result[:: 1 + count // 5]))
    put_same(f"allreduce-sum-{count}", digest(result))
    result = mine[:]
    comm.Reduce(MPI.IN_PLACE if rank == 0 else result, result if rank == 0 else None, MPI.SUM)
    put("close", f"reduce-sum-{count}", *map(repr, result[:: 1 + count // 5]))
    for root in range(size):
        result = mine[:]
        comm.Bcast(result, root)
        if rank == root:
            result = array("d")
        put("bytes", f"bcast-{count}-{root}", *comm.allgather(digest(result)))
        if root > 0:
            put("close", f"bcast-{count}-{root}", *map(repr, result[:: 1 + count // 5]))


# Python objects: pickled bytes, which no bound may touch.
objects = comm.bcast({"values": list(range(100_000))} if rank == 0 else None)
put("exact", "object", sum(objects["values"]))

for count in (0, 1, 1000, 1 << 20):
    integers(count)
    doubles(count)
