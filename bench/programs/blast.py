"""blast.py WIDTH STEPS OUTPUT: a blast wave from one corner through a box of WIDTH^3 cells for each
of 8 ranks, two along each axis, with mpi4py. As in LULESH, ranks exchange three fields at the nodes
of their faces in one message, and six in another, at every step: 23 and 46 KB for WIDTH 30. What
the wave has not reached yet is zero. Writes what each rank holds at the end to OUTPUT, in the order
of the ranks."""

import numpy
from mpi4py import MPI
from steps import arguments, timed, write

RATE = 0.5
DAMPING = 0.02
SMALLEST = 1e-7  # velocity; as in LULESH, a smaller one is none
FIELDS = 6  # velocity and displacement, three components each


class Box:
    """A rank's nodes, with a layer of ghost nodes on either side."""

    def __init__(self, width: int, comm: MPI.Cartcomm):
        self.comm = comm
        nodes = width + 3
        self.fields = numpy.zeros((FIELDS, nodes, nodes, nodes))
        if comm.coords == [0, 0, 0]:
            self.fields[3:, 1:5, 1:5, 1:5] = 1.0

    def exchange(self, fields: slice, tag: int) -> None:
        """Faces of these fields, with both neighbours of each axis."""
        values = self.fields[fields]
        for axis in (1, 2, 3):
            below, above = self.comm.Shift(axis - 1, 1)
            first, last = (numpy.take(values, i, axis).copy() for i in (1, -2))
            from_below, from_above = numpy.empty_like(first), numpy.empty_like(last)
            requests = [
                self.comm.Irecv(from_below, below, tag),
                self.comm.Irecv(from_above, above, tag),
                self.comm.Isend(first, below, tag),
                self.comm.Isend(last, above, tag),
            ]
            MPI.Request.Waitall(requests)
            for i, source, face in ((0, below, from_below), (-1, above, from_above)):
                if source != MPI.PROC_NULL:
                    values[(slice(None),) * axis + (i,)] = face

    def step(self) -> None:
        self.exchange(slice(0, 3), 1)
        self.exchange(slice(0, FIELDS), 2)
        velocity, moved = self.fields[:3], self.fields[3:]
        inner = (slice(None), slice(1, -1), slice(1, -1), slice(1, -1))
        force = -6 * moved[inner]
        for axis in (1, 2, 3):
            for shift in (1, -1):
                force += numpy.roll(moved, shift, axis)[inner]
        velocity[inner] += RATE / 3 * force
        velocity[inner] *= 1 - DAMPING
        velocity[numpy.abs(velocity) < SMALLEST] = 0
        moved[inner] += RATE * velocity[inner]


def main() -> None:
    width, steps, output = arguments()
    world = MPI.COMM_WORLD
    comm = world.Create_cart(MPI.Compute_dims(world.size, 3))
    box = Box(width, comm)
    with timed(comm, steps):
        for _ in range(steps):
            box.step()
    write(comm, output, box.fields[:, 1:-1, 1:-1, 1:-1])


main()
