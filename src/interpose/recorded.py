"""What is recorded of each call (recorder.h), by its name without MPI_."""

from calls_table import Call

COLLECTIVE = 'recorder::Call{{"MPI_{name}", comm}}'
REDUCTION = "mpi::own_values(sendbuf, recvbuf, {items}, datatype)"
OWN_BLOCK = "mpi::Buffer(sendbuf, sendcount, sendtype)"
BLOCKS = "mpi::Buffer(sendbuf, sendcount * recorder::ranks(comm), sendtype)"
FROM_ROOT = "if (recorder::is_rank(root, comm)) "
PARTS = "recorder::parts({call}, sendbuf, sendcounts, {displacements}, sendtype)"


def reduction(items: str) -> str:
    return f"recorder::message({COLLECTIVE}, {REDUCTION.format(items=items)})"


def block(values: str) -> str:
    return f"recorder::message({COLLECTIVE}, {values})"


COLLECTIVES = {
    "Allreduce": reduction("count"),
    "Reduce": reduction("count"),
    "Scan": reduction("count"),
    "Exscan": reduction("count"),
    "Reduce_scatter": reduction("recorder::sum(recvcounts, comm)"),
    "Reduce_scatter_block": reduction("recvcount * recorder::ranks(comm)"),
    "Bcast": FROM_ROOT + block("mpi::Buffer(buffer, count, datatype)"),
    "Gather": block(OWN_BLOCK),
    "Gatherv": block(OWN_BLOCK),
    "Allgather": block(OWN_BLOCK),
    "Allgatherv": block(OWN_BLOCK),
    "Scatter": FROM_ROOT + block(BLOCKS),
    "Scatterv": FROM_ROOT + PARTS.format(call=COLLECTIVE, displacements="displs"),
    "Alltoall": block(BLOCKS),
    "Alltoallv": PARTS.format(call=COLLECTIVE, displacements="sdispls"),
}


def sent(call: Call) -> tuple[str, str] | None:
    """Where a message between two ranks goes, and its values."""
    if "dest" not in call.names or call.name == "Psend_init":
        return None
    both = "sendcount" in call.names  # of a send and a receive
    tag = "sendtag" if "sendtag" in call.names else "tag"
    values = "sendbuf, sendcount, sendtype" if both else "buf, count, datatype"
    return f'{{"MPI_{call.name}", comm, dest, {tag}}}', f"{{{values}}}"


def before(call: Call) -> str:
    """What stands in front of the call: a statement, or nothing."""
    if call.name in COLLECTIVES:
        return COLLECTIVES[call.name].format(name=call.name)
    if call.name == "Start":
        return "recorder::started(*request)"
    if call.name == "Startall":
        return "recorder::started(count, array_of_requests)"
    message = sent(call)
    if message is None or call.name.endswith("_init"):
        return ""
    return f"recorder::message({message[0]}, {message[1]})"


def after(call: Call) -> str:
    """What stands behind it, where it went well."""
    message = sent(call)
    if message is None or not call.name.endswith("_init"):
        return ""
    return f"recorder::prepared({message[0]}, {message[1]}, *request)"
