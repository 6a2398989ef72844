"""Sends and adds up whole numbers between two ranks, and says with which MPI they arrived."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
assert comm.size == 2, f"{comm.size} ranks are not two: another MPI's mpirun?"
sent = np.arange(1 << 18, dtype=np.int64) // 7
got = np.zeros_like(sent)
pairs = MPI.INT64_T.Create_vector(1 << 15, 2, 4).Commit()
if comm.rank == 0:
    comm.Send(sent, 1, 3)
    comm.Send([sent, 1, pairs], 1, 4)
else:
    comm.Recv(got, 0, 3)
    assert (got == sent).all()
    got[:] = -1
    comm.Recv([got, 1, pairs], 0, 4)
    there = np.arange(1 << 17).reshape(-1, 4)[:, :2].ravel()
    assert (got[there] == sent[there]).all()
    assert (np.delete(got, there) == -1).all()
total = np.zeros_like(sent)
comm.Allreduce(sent, total)
assert (total == 2 * sent).all()
if comm.rank == 0:
    print("right with", MPI.Get_library_version().partition("\n")[0].partition(",")[0])
