"""How a call goes on whose buffers lie on a device, under an MPI that cannot reach there
(staging/): each buffer's use, and which bytes of it MPI reads or writes."""

from collections.abc import Sequence
from dataclasses import dataclass

from calls_table import Call


@dataclass(frozen=True)
class Argument:
    """A buffer. An empty statement stands for one that the call does not look at."""

    name: str
    use: str  # an expression of staging::Use
    places: str  # a statement that adds to `places`


STAGED = """static {result} staged_{name}({parameters}) {{
{body}}}
"""
# Tightwire's own code is in front of it twice, and this one is for few programs.
COLD = "[[gnu::cold, gnu::noinline]] "

SENDS, RECEIVES, BOTH = (f"staging::Use::{use}" for use in ("sends", "receives", "both"))
NOTHING = "staging::Use::nothing"


def unless_in_place(use: str) -> str:
    return f"sendbuf == MPI_IN_PLACE ? {BOTH} : {use}"


def if_root(use: str, otherwise: str = NOTHING) -> str:
    return f"interpose::is_root(root, comm) ? {use} : {otherwise}"


# Of two groups, the root's own has MPI_ROOT and MPI_PROC_NULL, which are negative.
def if_of_ranks(use: str) -> str:
    return f"root >= 0 ? {use} : {NOTHING}"


def one(count: str, datatype: str) -> str:
    return f"places.add({count}, {datatype});"


def each(ranks: str, count: str, datatype: str) -> str:
    return f"places.add_blocks(interpose::{ranks}(comm), {count}, {datatype});"


def uneven(ranks: str, counts: str, displacements: str, datatype: str) -> str:
    return f"places.add_blocks(interpose::{ranks}(comm), {counts}, {displacements}, {datatype});"


SEND_ONE = one("sendcount", "sendtype")
RECEIVE_ONE = one("recvcount", "recvtype")
ALL_COUNTS = "places.add_sum(interpose::members(comm), recvcounts, datatype);"
OWN_COUNT = one("mpi::Counts(recvcounts)[staging::own_rank(comm)]", "datatype")
SUM_OF_COUNTS = f"if (sendbuf == MPI_IN_PLACE) {{ {ALL_COUNTS} }} else {{ {OWN_COUNT} }}"
ALL_BLOCKS = each("members", "recvcount", "datatype")
OWN_BLOCK = one("recvcount", "datatype")
SUM_OF_BLOCKS = f"if (sendbuf == MPI_IN_PLACE) {{ {ALL_BLOCKS} }} else {{ {OWN_BLOCK} }}"


def pair(send: str, receive: str, send_use: str = SENDS, receive_use: str = "") -> list[Argument]:
    return [
        Argument("sendbuf", send_use, send),
        Argument("recvbuf", receive_use or unless_in_place(RECEIVES), receive),
    ]


VALUES = one("count", "datatype")
IN_PLACE_AT_ROOT = if_root(f"({unless_in_place(RECEIVES)})")


def all_to_all(to: str, source: str, types: str = "") -> list[Argument]:
    return [
        Argument("sendbuf", SENDS, uneven(to, "sendcounts", "sdispls", f"sendtype{types}")),
        Argument(
            "recvbuf",
            # Neighbours may be MPI_PROC_NULL, whose blocks stay as they are.
            BOTH if to == "destinations" else unless_in_place(RECEIVES),
            uneven(source, "recvcounts", "rdispls", f"recvtype{types}"),
        ),
    ]


COLLECTIVES = {
    "Allreduce": pair(VALUES, VALUES),
    "Scan": pair(VALUES, VALUES),
    # Rank 0's result stays as it is.
    "Exscan": pair(VALUES, VALUES, receive_use=BOTH),
    "Reduce": pair(VALUES, VALUES, if_of_ranks(SENDS), IN_PLACE_AT_ROOT),
    "Bcast": [Argument("buffer", if_root(SENDS, f"({if_of_ranks(RECEIVES)})"), VALUES)],
    "Reduce_scatter": pair(ALL_COUNTS, SUM_OF_COUNTS),
    "Reduce_scatter_block": pair(ALL_BLOCKS, SUM_OF_BLOCKS),
    "Gather": pair(
        SEND_ONE, each("all_parts", "recvcount", "recvtype"), if_of_ranks(SENDS), IN_PLACE_AT_ROOT
    ),
    "Gatherv": pair(
        SEND_ONE,
        uneven("all_parts", "recvcounts", "displs", "recvtype"),
        if_of_ranks(SENDS),
        IN_PLACE_AT_ROOT,
    ),
    "Scatter": pair(
        each("all_parts", "sendcount", "sendtype"),
        RECEIVE_ONE,
        if_root(SENDS),
        if_of_ranks(RECEIVES),
    ),
    "Scatterv": pair(
        uneven("all_parts", "sendcounts", "displs", "sendtype"),
        RECEIVE_ONE,
        if_root(SENDS),
        if_of_ranks(RECEIVES),
    ),
    "Allgather": pair(SEND_ONE, each("all_parts", "recvcount", "recvtype")),
    "Allgatherv": pair(SEND_ONE, uneven("all_parts", "recvcounts", "displs", "recvtype")),
    "Alltoall": pair(
        each("all_parts", "sendcount", "sendtype"), each("all_parts", "recvcount", "recvtype")
    ),
    "Alltoallv": all_to_all("all_parts", "all_parts"),
    "Alltoallw": all_to_all("all_parts", "all_parts", "s"),
    "Neighbor_allgather": pair(
        SEND_ONE, each("sources", "recvcount", "recvtype"), receive_use=BOTH
    ),
    "Neighbor_allgatherv": pair(
        SEND_ONE, uneven("sources", "recvcounts", "displs", "recvtype"), receive_use=BOTH
    ),
    "Neighbor_alltoall": pair(
        each("destinations", "sendcount", "sendtype"),
        each("sources", "recvcount", "recvtype"),
        receive_use=BOTH,
    ),
    "Neighbor_alltoallv": all_to_all("destinations", "sources"),
    "Neighbor_alltoallw": all_to_all("destinations", "sources", "s"),
}
COLLECTIVES |= {f"I{name[0].lower()}{name[1:]}": of for name, of in COLLECTIVES.items()} | {
    f"{name}_init": of for name, of in COLLECTIVES.items()
}

# MPI_PROC_NULL's request may be one that many share.
TO = f"dest == MPI_PROC_NULL ? {NOTHING} : {SENDS}"
FROM = f"source == MPI_PROC_NULL ? {NOTHING} : {RECEIVES}"
MATCHED = f"*message == MPI_MESSAGE_NO_PROC ? {NOTHING} : {RECEIVES}"
# Partitions are sent by calls that name no buffer.
NOT_STAGED = ("Psend_init", "Precv_init")


def message_arguments(call: Call) -> list[Argument]:
    if call.name.endswith("replace"):
        return [Argument("buf", BOTH, VALUES)]
    if "sendbuf" in call.names:
        # MPICH's status of MPI_Isendrecv does not tell how much came: what does not come stays.
        return pair(SEND_ONE, RECEIVE_ONE, TO, BOTH if "request" in call.names else FROM)
    use = MATCHED if "message" in call.names else TO if "dest" in call.names else FROM
    return [Argument("buf", use, VALUES)]


def arguments_of(call: Call) -> list[Argument]:
    """The buffers of a call that are staged."""
    if call.form:
        return COLLECTIVES[call.name]
    takes_buffer = call.handler.startswith("p2p::") and call.moves_data
    return message_arguments(call) if takes_buffer and call.name not in NOT_STAGED else []


# Calls that complete requests: how many, their array, the room for what they tell, and which.
SOME = (
    "incount",
    "array_of_requests",
    "array_of_statuses",
    "some(code, *outcount, array_of_indices)",
)
COMPLETIONS = {
    "Wait": ("1", "request", "status", "all(code)"),
    "Waitall": ("count", "array_of_requests", "array_of_statuses", "all(code)"),
    "Waitany": ("count", "array_of_requests", "status", "one(code, *index)"),
    "Waitsome": SOME,
    "Test": ("1", "request", "status", "all(code, *flag)"),
    "Testall": ("count", "array_of_requests", "array_of_statuses", "all(code, *flag)"),
    "Testany": ("count", "array_of_requests", "status", "one(code, *index, *flag)"),
    "Testsome": SOME,
}


def called(call: Call, name: str, instead: dict[str, str]) -> str:
    return f"host_{name}({', '.join(instead.get(one, one) for one in call.names)})"


def completion(call: Call, name: str) -> str:
    count, handles, statuses, done = COMPLETIONS[call.name]
    made = called(call, name, {statuses: "told"})
    return (
        f'  staging::Completion completion("MPI_{call.name}", {count}, {handles});\n'
        f"  MPI_Status* const told = completion.statuses({statuses});\n"
        f"  const int code = {made};\n"
        f"  return completion.{done};\n"
    )


def start(call: Call, name: str) -> str:
    given = "1, request" if call.name == "Start" else "count, array_of_requests"
    return (
        f'  const int code = staging::fetch_again("MPI_{call.name}", {given});\n'
        f"  return code == MPI_SUCCESS ? {called(call, name, {})} : code;\n"
    )


def look(call: Call, name: str) -> str:
    return (
        "  MPI_Status own{};\n"
        "  MPI_Status* const told = status == MPI_STATUS_IGNORE ? &own : status;\n"
        f"  const int code = {called(call, name, {'status': 'told'})};\n"
        "  return staging::put_early(request, code, *flag, *told);\n"
    )


def free(call: Call, name: str) -> str:
    return (
        "  if (staging::outlives(request)) return MPI_SUCCESS;\n"
        f"  return {called(call, name, {})};\n"
    )


REQUEST_CALLS = {"Start": start, "Startall": start, "Request_get_status": look}
REQUEST_CALLS |= {"Request_free": free} | dict.fromkeys(COMPLETIONS, completion)


def ending(call: Call, made: str) -> str:
    """Which way the images go back, by the form of the call."""
    body = f"[&] {{ return {made}; }}"
    if "request" in call.names:
        receives = not call.form and "dest" not in call.names
        way = "persists" if call.name.endswith("_init") else "returns_at_once"
        return f"call.{way}(request, {str(receives).lower()}, {body})"
    return f"call.receives(told, {body})" if "status" in call.names else f"call.waits({body})"


def refused(call: Call, name: str) -> str:
    return (
        f'  return staging::reporting("MPI_{call.name}", comm, [&] {{\n'
        "    staging::refuse_device(buf);\n"
        f"    return {called(call, name, {})};\n  }});\n"
    )


def sent_from_image(call: Call) -> str:
    """Where a message may be encoded on its device."""
    if call.form or "dest" not in call.names or call.name == "Isendrecv_replace":
        return ""
    with_both = "sendbuf" in call.names
    what = "sendbuf_image, sendcount, sendtype" if with_both else "buf_image, count, datatype"
    return f"    call.sends({what}, dest, comm);\n"


# Devices may carry them out; the images of what they read, which need not come before.
OWN_IMAGE = "sendbuf == MPI_IN_PLACE ? recvbuf_image : sendbuf_image"
REDUCTIONS = ("Allreduce", "Reduce", "Reduce_scatter", "Reduce_scatter_block")
CODED_COLLECTIVES = {"Bcast": "buffer_image", "Scatter": "sendbuf_image"}
CODED_COLLECTIVES |= dict.fromkeys((*REDUCTIONS, "Gather", "Allgather", "Alltoall"), OWN_IMAGE)


def with_images(call: Call, name: str, given: Sequence[Argument], goes_to_mpi: str) -> str:
    coded = call.name in CODED_COLLECTIVES
    kind = "coded_collective" if coded else "collective" if call.form else "message"
    comm = "comm" if "comm" in call.names else "MPI_COMM_WORLD"
    text = f'  return staging::reporting("MPI_{call.name}", {comm}, [&] {{\n'
    text += f'    staging::Call call("MPI_{call.name}", {comm}, staging::Kind::{kind});\n'
    instead = {}
    for one in given:
        image = f"{one.name}_image"
        instead[one.name] = image
        text += (
            f'    void* const {image} = call.image("{one.name}", {one.name}, {one.use},\n'
            f"        [&](mpi::Places& places) {{ {one.places} }});\n"
        )
    text += sent_from_image(call)
    if coded:  # MPI itself would find the image empty
        text += f"    if (!({goes_to_mpi})) call.stays({CODED_COLLECTIVES[call.name]});\n"
    if "status" in call.names:
        instead["status"] = "told"
        text += "    MPI_Status* const told = call.status(status);\n"
    return text + f"    return {ending(call, called(call, name, instead))};\n  }});\n"


def staged(call: Call, name: str, parameters: Sequence[str], goes_to_mpi: str) -> str:
    """In place of a call's own where there are devices, or nothing; that may go to MPI."""
    given = arguments_of(call)
    if given:
        body = with_images(call, name, given, goes_to_mpi)
    elif call.name in REQUEST_CALLS:
        body = REQUEST_CALLS[call.name](call, name)
    elif call.name in NOT_STAGED:
        body = refused(call, name)
    else:
        return ""
    return COLD + STAGED.format(
        result=call.result, name=name, parameters=", ".join(parameters), body=body
    )
