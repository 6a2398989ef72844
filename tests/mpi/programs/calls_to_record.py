"""Sends one message by each kind of call; values tell the rank and the call.

Three ranks. What each call sends is MESSAGE values of 1000 x rank + a number of the call.
"""

import numpy
from mpi4py import MPI

MESSAGE = 12
world = MPI.COMM_WORLD
rank, size = world.rank, world.size
right, left = (rank + 1) % size, (rank - 1) % size


def values(call, count=MESSAGE, code="f8"):
    return numpy.full(count, 1000 * rank + call, code)


def room(count=MESSAGE, code="f8"):
    return numpy.zeros(count, code)


def between_two():
    request = world.Irecv(room(), left, 1)
    world.Send(values(1), right, 1)
    request.Wait()
    requests = [world.Irecv(room(), left, 2), world.Isend(values(2), right, 2)]
    MPI.Request.Waitall(requests)
    world.Sendrecv(values(3), right, 3, room(), left, 3)
    both = values(4)
    world.Sendrecv_replace(both, right, 4, left, 4)


def persistent():
    sent = values(5)
    send = world.Send_init(sent, right, 5)
    receive = world.Recv_init(room(), left, 5)
    for step in range(3):
        sent[:] = values(5) + step / 4
        MPI.Prequest.Startall([receive, send])
        MPI.Request.Waitall([receive, send])
    for request in (send, receive):
        request.Free()


def derived():
    """Every second value."""
    every_second = MPI.DOUBLE.Create_vector(MESSAGE, 1, 2).Commit()
    sent = values(6, 2 * MESSAGE)
    sent[1::2] = -1
    request = world.Irecv(room(), left, 6)
    world.Send([sent, 1, every_second], right, 6)
    request.Wait()
    every_second.Free()


def collectives():
    world.Bcast(values(10), 1)
    world.Allreduce(values(11), room())
    in_place = values(12)
    world.Allreduce(MPI.IN_PLACE, in_place)
    world.Reduce(values(13), room() if rank == 0 else None, root=0)
    world.Reduce_scatter_block(values(14, 3 * MESSAGE), room())
    world.Reduce_scatter(values(15, 6), room(rank + 1), [1, 2, 3])
    world.Scan(values(16), room())
    world.Gather(values(17), room(3 * MESSAGE) if rank == 2 else None, root=2)
    world.Scatter(values(18, 3 * MESSAGE) if rank == 2 else None, room(), root=2)
    world.Allgather(values(19), room(3 * MESSAGE))
    world.Alltoall(values(20, 3 * MESSAGE), room(3 * MESSAGE))
    counts, places = (4, 0, 2), (0, 4, 5)
    sent = values(21, 7)
    got = [(4, 0, 2)[rank]] * 3
    world.Alltoallv([sent, counts, places, MPI.DOUBLE], [room(18), got, (0, 6, 12), MPI.DOUBLE])
    world.Allreduce(values(22, code="i4"), room(code="i4"))
    counts, places, types = (4, 0, 2), (0, 4 * 8, 5 * 8), [MPI.DOUBLE] * 3
    received = [room(18), (got, (0, 6 * 8, 12 * 8)), types]
    world.Alltoallw([values(23, 7), (counts, places), types], received)


def neighbours():
    ring = world.Create_cart([size], periods=[True])
    ring.Neighbor_allgather(values(30), room(2 * MESSAGE))
    ring.Neighbor_allgatherv(values(31), [room(2 * MESSAGE), ((MESSAGE,) * 2, (0, MESSAGE))])
    ring.Neighbor_alltoall(values(32, 2 * MESSAGE), room(2 * MESSAGE))
    # Four values to the left, two to the right.
    sent, got = ((4, 2), (0, 5)), ((2, 4), (0, 6))
    ring.Neighbor_alltoallv([values(33, 7), sent, MPI.DOUBLE], [room(), got, MPI.DOUBLE])
    sent, got = ((4, 2), (0, 5 * 8)), ((2, 4), (0, 6 * 8))
    types = [MPI.DOUBLE] * 2
    ring.Neighbor_alltoallw([values(34, 7), sent, types], [room(), got, types])
    ring.Free()


between_two()
persistent()
derived()
collectives()
neighbours()
