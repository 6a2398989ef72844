"""What MPI says of hints: what inherits them, and what is asked back. Prints lines of facts.

hints.py [WHAT]: WHAT makes rank 1 do something else than the others: a "name" or a "hint".
"""

import sys
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD


def info_of(**hints):
    info = MPI.Info.Create()
    for key, value in hints.items():
        info[key] = value
    return info


def bound_on(comm):
    return comm.Get_info().get("tightwire_error_bound", "none")


def refused(comm, **hints):
    try:
        comm.Set_info(info_of(**hints))
    except MPI.Exception as exception:
        return exception.Get_error_class() == MPI.ERR_INFO_VALUE
    return False


def on_all_ranks(fact):
    return world.allreduce(int(fact), MPI.MIN) == 1


def disagree(what):
    comm = world.Dup()
    odd = world.rank == 1
    if what == "name":
        comm.Set_name("pressure" if odd else "velocity")
        comm.Allreduce(array("d", bytes(80000)), array("d", bytes(80000)))
    hints = {"tightwire_error_bound": "1e-3" if odd else "1e-4"} if what == "hint" else {}
    return on_all_ranks(refused(comm, **hints))


def facts():
    comm = world.Dup()
    comm.Set_info(info_of(tightwire_error_bound="1e-3", something_else="x"))
    yield "set", bound_on(comm)
    comm.Set_info(info_of(tightwire_mode="adaptive"))
    yield "kept", bound_on(comm)
    yield "dup", bound_on(comm.Dup())
    yield "dup-with-info", bound_on(comm.Dup_with_info(info_of(tightwire_error_bound="1e-2")))
    yield "dup-with-none", bound_on(comm.Dup_with_info(info_of()))
    yield "split", bound_on(comm.Split(0, comm.rank))
    by_host = comm.Split_type(MPI.COMM_TYPE_SHARED, 0, info_of(tightwire_error_bound="5"))
    yield "split-type", bound_on(by_host)
    odd = {"tightwire_error_bound": "-1" if world.rank == 1 else "1e-5"}
    yield "refused", on_all_ranks(refused(comm, **odd))
    yield "after", bound_on(comm)


version = MPI.Get_version()[0]
found = [("disagree", disagree(sys.argv[1]))] if sys.argv[1:] else list(facts())
if world.rank == 0:
    print("version", version)
    for name, value in found:
        print(name, value)
