"""What is recorded of each call (recording/recorder.h), by its name without MPI_, and told to an
audit (audit/auditor.h)."""

import re

from calls_table import Call

COLLECTIVE = 'recorder::Call{{"MPI_{name}", comm}}'
REDUCTION = "mpi::own_values(sendbuf, recvbuf, {items}, datatype)"
OWN_BLOCK = "mpi::Buffer(sendbuf, sendcount, sendtype)"
BLOCKS = "mpi::Buffer(sendbuf, sendcount * recorder::ranks(comm), sendtype)"
FROM_ROOT = "if (recorder::is_rank(root, comm)) "
PARTS = "recorder::parts({call}, {blocks})"
TO_NEIGHBOURS = "recorder::neighbours({call}, {blocks})"
UNEVEN = "collective::Blocks(sendbuf, {types}, sendcounts, {displacements})"


def reduction(items: str) -> str:
    return f"recorder::message({COLLECTIVE}, {REDUCTION.format(items=items)})"


def block(values: str) -> str:
    return f"recorder::message({COLLECTIVE}, {values})"


def parts(statement: str, types: str, displacements: str) -> str:
    blocks = UNEVEN.format(types=types, displacements=displacements)
    return statement.format(call=COLLECTIVE, blocks=blocks)


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
    "Scatterv": FROM_ROOT + parts(PARTS, "sendtype", "displs"),
    "Alltoall": block(BLOCKS),
    "Alltoallv": parts(PARTS, "sendtype", "sdispls"),
    "Alltoallw": parts(PARTS, "sendtypes", "sdispls"),
    "Neighbor_allgather": block(OWN_BLOCK),
    "Neighbor_allgatherv": block(OWN_BLOCK),
    "Neighbor_alltoall": TO_NEIGHBOURS.format(
        call=COLLECTIVE, blocks=f"collective::Blocks({OWN_BLOCK})"
    ),
    "Neighbor_alltoallv": parts(TO_NEIGHBOURS, "sendtype", "sdispls"),
    "Neighbor_alltoallw": parts(TO_NEIGHBOURS, "sendtypes", "sdispls"),
}
# An audit takes those in place, too: of them a rank's own values are where others' arrive.
IN_PLACE = "sendbuf == MPI_IN_PLACE ? {} : "
OWN_PLACE = IN_PLACE.format("auditor::own_block(recvbuf, {own}, recvtype, comm)")
UNEVEN_IN_PLACE = IN_PLACE.format("collective::Blocks(recvbuf, {types}, recvcounts, rdispls)")
ALL_BLOCKS = IN_PLACE.format("mpi::Buffer(recvbuf, recvcount * recorder::ranks(comm), recvtype)")


def parts_or_in_place(types: str) -> str:
    place = UNEVEN_IN_PLACE.format(types=types.replace("send", "recv"))
    uneven = UNEVEN.format(types=types, displacements="sdispls")
    return PARTS.format(call=COLLECTIVE, blocks=place + uneven)


AUDITED = COLLECTIVES | {
    "Allgather": block(OWN_PLACE.format(own="recvcount") + OWN_BLOCK),
    "Allgatherv": block(OWN_PLACE.format(own="recvcounts, displs") + OWN_BLOCK),
    "Alltoall": block(ALL_BLOCKS + BLOCKS),
    "Alltoallv": parts_or_in_place("sendtype"),
    "Alltoallw": parts_or_in_place("sendtypes"),
}


def at_once(name: str) -> str:
    return f"I{name[0].lower()}{name[1:]}"


# Those that return at once begin with the same values; so does each start of a persistent one.
COLLECTIVES |= {at_once(name): values for name, values in COLLECTIVES.items()}
PERSISTENT = {f"{name}_init": values for name, values in AUDITED.items()}
AUDITED |= {at_once(name): values for name, values in AUDITED.items()}


def sent(call: Call) -> tuple[str, str] | None:
    """Where a message between two ranks goes, and its values."""
    if "dest" not in call.names or call.name == "Psend_init":
        return None
    both = "sendcount" in call.names  # of a send and a receive
    tag = "sendtag" if "sendtag" in call.names else "tag"
    values = "sendbuf, sendcount, sendtype" if both else "buf, count, datatype"
    return f'{{"MPI_{call.name}", comm, dest, {tag}}}', f"{{{values}}}"


def counted(call: Call) -> str:
    """A statement in front of the call that counts what is left to MPI (census.h), or nothing."""
    if call.handler == "counted":
        items = next((name for name in call.names if name.endswith("count")), "1")
        datatype = next(one for one in call.names if one.endswith("datatype"))
        return f"census::one_sided({items}, {datatype})"
    if call.name == "Start":
        return "census::started(1, request)"
    if call.name == "Startall":
        return "census::started(count, array_of_requests)"
    message = sent(call)
    if message is None or call.name.endswith("_init"):
        return ""
    # Wherever its buffer lies, what is sent is a copy.
    values = "{nullptr, count, datatype}" if call.name.endswith("_replace") else message[1]
    return f"census::message({values}, dest, comm)"


def prepared(call: Call) -> str:
    """The same behind a call that makes a persistent request."""
    if call.name == "Recv_init":
        return "census::forget(*request)"
    message = sent(call)
    if message is None or not call.name.endswith("_init"):
        return ""
    return f"census::prepared({message[1]}, dest, comm, *request)"


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


# Calls that ask whether something is there already: programs make millions of them in vain.
POLLS = re.compile(r"Test|Iprobe|Improbe|Parrived|Pready|Request_|Cancel")


def spanned(call: Call) -> str:
    """What puts the call on the timeline; nothing for those that it would be full of."""
    if call.handler.startswith("special::") or POLLS.match(call.name):
        return ""
    return f'  const timeline::Span span("MPI_{call.name}", timeline::Kind::call);\n'


def looked_at(call: Call) -> str:
    """The statement by which an audit looks at what a call sends, or nothing."""
    given = AUDITED.get(call.name)
    told = before(call) if given is None else given.format(name=call.name)
    told = re.sub(r"recorder::(message|parts|neighbours|started)\(", r"seen.\1(", told)
    if told and "op" in call.names:
        told = told.removesuffix(")") + ", op)"
    return told


def remembered(call: Call) -> str:
    """The statement behind a call that makes a persistent request: what its starts will send."""
    if call.name in ("Recv_init", "Precv_init"):
        return "seen.forget(*request)"
    if call.name == "Psend_init":
        where = '{"MPI_Psend_init", comm, dest, tag}'
        return f"seen.prepared_unready({where}, {{buf, partitions * count, datatype}}, *request)"
    if call.name in PERSISTENT:
        told = PERSISTENT[call.name].format(name=call.name)
        told = re.sub(r"recorder::(parts|neighbours)\(", r"seen.prepared_\1(", told)
        end = ", *request)"
        if "recorder::message(" in told:
            told = told.replace("recorder::message(", "seen.prepared(")
            end = (", op" if "op" in call.names else ", MPI_OP_NULL") + end
        # At other ranks than the root the handle may be that of an earlier request.
        return "seen.forget(*request);\n      " + told.removesuffix(")") + end
    if told := after(call):
        told = told.replace("recorder::prepared(", "seen.prepared(")
        return told.replace(", *request)", ", MPI_OP_NULL, *request)")
    return ""


def audited(call: Call, real: str) -> str:
    """How an audit looks at a call, which goes to MPI as it is; nothing for those it passes by."""
    if call.handler.startswith("special::") or POLLS.match(call.name):
        return ""
    told = looked_at(call)
    text = f'  if (auditor::active()) {{\n    auditor::Observation seen("MPI_{call.name}");\n'
    if told:
        text += f"    if (seen.counted()) {{\n      {told};\n    }}\n"
    text += f"    const int code = seen.timed([&] {{ return {real}; }});\n"
    if statement := remembered(call):
        text += f"    if (code == MPI_SUCCESS) {{\n      {statement};\n    }}\n"
    return text + "    return code;\n  }\n"
