"""sgd.py WIDTH STEPS OUTPUT: stochastic gradient descent on a network of two layers of WIDTH units,
in float32, with mpi4py. Each rank has samples of its own; at every step the gradients are summed
over the ranks by MPI_Allreduce, one call for each layer. Writes the weights to OUTPUT."""

import numpy
from mpi4py import MPI
from steps import arguments, timed

BATCH = 64
RATE = 2e-3  # more than two over the square of the hidden units diverges


def samples(random: numpy.random.Generator, teacher: numpy.ndarray) -> tuple:
    values = random.standard_normal((BATCH, teacher.shape[0]), dtype=numpy.float32)
    return values, numpy.tanh(values @ teacher)


def gradients(weights: list[numpy.ndarray], values: numpy.ndarray, wanted: numpy.ndarray) -> list:
    hidden = numpy.maximum(values @ weights[0], 0)
    error = (hidden @ weights[1] - wanted) / BATCH
    back = (error @ weights[1].T) * (hidden > 0)
    return [values.T @ back, hidden.T @ error]


def main() -> None:
    width, steps, output = arguments()
    comm = MPI.COMM_WORLD
    common = numpy.random.default_rng(1)
    shapes = [(width, width), (width, 64)]
    weights = [common.standard_normal(s, dtype=numpy.float32) / width**0.5 for s in shapes]
    teacher = common.standard_normal((width, 64), dtype=numpy.float32) / width**0.5
    random = numpy.random.default_rng(100 + comm.rank)
    with timed(comm, steps):
        for _ in range(steps):
            for weight, own in zip(
                weights, gradients(weights, *samples(random, teacher)), strict=True
            ):
                total = numpy.empty_like(own)
                comm.Allreduce(numpy.ascontiguousarray(own), total)
                weight -= RATE / comm.size * total
    if comm.rank == 0:
        output.write_bytes(b"".join(weight.tobytes() for weight in weights))


main()
