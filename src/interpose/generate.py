#!/usr/bin/env python3
"""Write the MPI entry points from calls.def: generate.py calls.def wrappers.cpp"""

import re
import sys

from calls_table import Call, read_calls

HEADER = """// Made from calls.def by generate.py. Do not edit.
#include <mpi.h>

#include "collective/entry/collective.h"
#include "interpose/guard.h"
#include "interpose/large_count.h"
#include "interpose/partition_list.h"
#include "interpose/real.h"
#include "interpose/special.h"
#include "p2p/entry/p2p.h"
#include "p2p/lifecycle.h"
#include "runtime/runtime.h"

using namespace tightwire;

extern "C" {
"""

# Calls that MPI makes to itself, and tightwire's own, find the guard taken and pass through.
WRAPPER = """
[[gnu::visibility("default")]] {result} PMPI_{name}({parameters}) {{
  using Function = decltype(&PMPI_{name});
  static const auto real = interpose::real<Function>("PMPI_{name}");
  const interpose::Guard guard;
  if (!guard.outermost(){condition}) return real({arguments});
{views}  return {handler}({given}{pass_through});
}}
[[gnu::visibility("default"), gnu::alias("PMPI_{name}")]] {result} MPI_{name}({parameters});
"""


# Declared in different ways by different versions of MPI.
VARYING = {"int array_of_partitions[]": "interpose::PartitionList array_of_partitions"}


def wrapper(call: Call) -> str:
    text = WRAPPER.format(
        result=call.result,
        name=call.name,
        parameters=", ".join(VARYING.get(one, one) for one in call.parameters),
        condition=active(call),
        arguments=", ".join(call.names),
        views="",
        handler=call.handler,
        given=", ".join(call.names),
        pass_through=pass_through(call),
    )
    return f"\n#if MPI_VERSION >= 4{text}#endif\n" if call.mpi >= "4" else text


def active(call: Call) -> str:
    conditions = {"special": "", "p2p": " || !p2p::active()"}
    return conditions.get(call.handler.split("::")[0], " || !runtime::active()")


def pass_through(call: Call) -> str:
    """Collectives get the way to MPI's own function, whatever the width of the counts."""
    if not call.handler.startswith("collective::"):
        return ""
    return ", [&] { return real(" + ", ".join(call.names) + "); }"


def large_count_wrapper(call: Call) -> str:
    """MPI 4's twin with wider counts, or nothing.

    Ranks of a reduction pass the same count, so all pass one beyond int through to MPI. Elsewhere
    one rank may have such a count and others not: the handler takes them all; in a message between
    two ranks, as one element of a derived type.
    """
    parameters = call.large_count_parameters
    if parameters is None:
        return ""
    given = list(call.names)
    fits = ""
    views = ""
    if call.handler.startswith("p2p::"):
        for i, parameter in enumerate(parameters):
            if re.match(r"MPI_Count ", parameter):  # the datatype follows
                view = f"{given[i]}_elements"
                views += f"  const interpose::Elements {view}({given[i]}, {given[i + 1]});\n"
                given[i : i + 2] = f"{view}.count()", f"{view}.type()"
    if "op" in call.names and not any("[]" in one for one in parameters):
        for i, parameter in enumerate(parameters):
            if re.match(r"MPI_Count ", parameter):
                fits += f" || !interpose::fits_int({given[i]})"
                given[i] = f"static_cast<int>({given[i]})"
    text = WRAPPER.format(
        result=call.result,
        name=call.name + "_c",
        parameters=", ".join(parameters),
        condition=active(call) + fits,
        arguments=", ".join(call.names),
        views=views,
        handler=call.handler,
        given=", ".join(given),
        pass_through=pass_through(call),
    )
    return f"\n#if MPI_VERSION >= 4{text}#endif\n"


def main(table: str, output: str) -> None:
    try:
        calls = read_calls(table)
    except ValueError as problem:
        sys.exit(str(problem))
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEADER)
        for call in calls:
            file.write(wrapper(call) + large_count_wrapper(call))
        file.write('\n}  // extern "C"\n')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
