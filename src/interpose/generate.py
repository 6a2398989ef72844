#!/usr/bin/env python3
"""Write the MPI entry points from calls.def, and what binds Tightwire's own calls to MPI:
generate.py calls.def wrappers.cpp linker_options
"""

import re
import sys
from collections.abc import Sequence

from calls_table import Call, read_calls
from narrowed import narrowed
from recorded import after, audited, before, counted, prepared, spanned
from staged import staged

HEADER = """// Made from calls.def by generate.py. Do not edit.
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#endif

#include <atomic>

#include "collective/entry/collective.h"
#include "interpose/audit/auditor.h"
#include "interpose/census/census.h"
#include "interpose/wide_counts/large_count.h"
#include "interpose/wide_counts/narrow_counts.h"
#include "interpose/partition_list.h"
#include "interpose/real.h"
#include "interpose/recording/recorder.h"
#include "interpose/special.h"
#include "interpose/staging/call.h"
#include "interpose/staging/requests.h"
#include "interpose/staging/staging.h"
#include "interpose/variables/performance_variables.h"
#include "os/float_traps.h"
#include "p2p/entry/p2p.h"
#include "p2p/lifecycle.h"
#include "runtime/call_site.h"
#include "runtime/runtime.h"
#include "timeline/events.h"

using namespace tightwire;

extern "C" {
"""

# Tightwire's own calls never come here: the linker binds them to __wrap_PMPI_<name>, MPI's own.
# Whoever else calls is served, by the rules for a program: the program itself, in a callback of MPI
# as well, Fortran's bindings, tools, and MPI where it uses its own public functions, as ROMIO does.
# So nothing is to be known about where a call comes from. A count of calls in progress would be
# wrong in callbacks and after a longjmp(); return addresses tell nothing where a callback's last
# call is a jump.
#
# Where a call goes is looked up the first time.
WRAPPER = """
static {result} find_{name}({parameters});
static constinit std::atomic<decltype(&P{prefix}_{name})> found_{name}{{&find_{name}}};
static inline {result} real_{name}({parameters}) {{
  const os::FloatTrapsOff::Lifted floats;
  return found_{name}.load(std::memory_order_relaxed)({arguments});
}}
static {result} find_{name}({parameters}) {{
  found_{name} = interpose::real<decltype(&P{prefix}_{name})>("P{prefix}_{name}"{instead});
  return real_{name}({arguments});
}}
{served}[[gnu::visibility("default")]] {result} P{prefix}_{name}({parameters}) {{
  runtime::note_call_site(__builtin_return_address(0));
  return serve_{name}({arguments});
}}
static {result} enter_{name}({parameters});
static constinit std::atomic<decltype(&P{prefix}_{name})> entry_{name}{{&enter_{name}}};
[[gnu::visibility("default")]] {result} {prefix}_{name}({parameters}) {{
  runtime::note_call_site(__builtin_return_address(0));
  return entry_{name}.load(std::memory_order_relaxed)({arguments});
}}
static {result} enter_{name}({parameters}) {{
  using Function = decltype(&P{prefix}_{name});
  const auto tool = interpose::tool<Function>("{prefix}_{name}", "P{prefix}_{name}");
  entry_{name} = tool != nullptr ? tool : &serve_{name};
  return {prefix}_{name}({arguments});
}}
{result} __wrap_P{prefix}_{name}({parameters});
{result} __wrap_P{prefix}_{name}({parameters}) {{
  return real_{name}({arguments});
}}
"""


SERVED = """static inline {result} serve_{name}({parameters}) {{
{body}}}
"""
# Where buffers may lie on a device, images of them come first (staged.py). Others take no step more
# than looking for that.
STAGED = """[[gnu::always_inline]] static inline {result} host_{name}({parameters}) {{
{body}}}
{staged}static inline {result} serve_{name}({parameters}) {{
  if (staging::active()) [[unlikely]] {{
    const os::FloatTrapsOff floats;
    return staged_{name}({arguments});
  }}
  return host_{name}({arguments});
}}
"""


# Declared in different ways by different versions of MPI.
VARYING = {"int array_of_partitions[]": "interpose::PartitionList array_of_partitions"}


def wrapper(call: Call) -> str:
    return filled(call, call.name, [VARYING.get(one, one) for one in call.parameters])


def filled(
    call: Call,
    name: str,
    parameters: Sequence[str],
    given: Sequence[str] | None = None,
    unless: str = "",
    views: str = "",
    prefix: str = "MPI",
) -> str:
    arguments = ", ".join(call.names)
    real = f"real_{name}({arguments})"
    passed_on = ", ".join(handed_on(call, given or call.names, f"{prefix}_{name}")) + pass_through(
        call, real
    )
    served = inactive(call, unless, real) + views
    served += f"  return {real if is_only_counted(call) else f'{call.handler}({passed_on})'};\n"
    wide = call.large_count_parameters if name != call.name else None
    text = narrowed(call, wide) if wide else ""
    body = untrapped(call) + spanned(call) + audited(call, real) + recorded(call, served)
    text += WRAPPER.format(
        name=name,
        instead=f", &narrow_{name}" if wide else "",
        prefix=prefix,
        result=call.result,
        parameters=", ".join(parameters),
        arguments=arguments,
        served=served_by(call, name, parameters, body, unless),
    )
    since_mpi_4 = call.mpi >= "4" or name != call.name
    if prefix == "MPIX":
        return f"\n#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ{text}#endif\n"
    return f"\n#if MPI_VERSION >= 4{text}#endif\n" if since_mpi_4 else text


def untrapped(call: Call) -> str:
    """Whether the program traps floating-point exceptions or not, ours are none of its own."""
    return "" if is_only_counted(call) else "  const os::FloatTrapsOff floats;\n"


def handed_on(call: Call, given: Sequence[str], function: str) -> list[str]:
    """The arguments of the handler. That of a collective is told which form of it is called."""
    if not call.form:
        return list(given)
    request = "" if call.form == "waits" else ", request"
    form = f'{{"{function}", collective::Calling::{call.form}{request}}}'
    return [form, *(one for one in given if one not in ("info", "request"))]


def extension(call: Call) -> str:
    """What persistent collectives were called before MPI 4, where Open MPI has them."""
    if call.form != "persistent":
        return ""
    return filled(call, call.name, call.parameters, prefix="MPIX")


def recorded(call: Call, served: str) -> str:
    """The same, with what is to be recorded and counted before and behind it."""
    first = guarded_by("recorder::active()", before(call))
    first += guarded_by("census::active()", counted(call))
    last = guarded_by("code == MPI_SUCCESS && recorder::active()", after(call))
    last += guarded_by("code == MPI_SUCCESS && census::active()", prepared(call))
    if not last:
        return first + served
    return (
        f"{first}  const auto serve = [&] {{\n{served}  }};\n"
        f"  const int code = serve();\n{last}  return code;\n"
    )


def guarded_by(condition: str, statement: str) -> str:
    return f"  if ({condition}) {{\n    {statement};\n  }}\n" if statement else ""


def is_only_counted(call: Call) -> bool:
    return call.handler == "counted"


def served_by(call: Call, name: str, parameters: Sequence[str], body: str, unless: str) -> str:
    own = staged(call, name, parameters, goes_to_mpi(call, unless))
    return (STAGED if own else SERVED).format(
        result=call.result,
        name=name,
        parameters=", ".join(parameters),
        arguments=", ".join(call.names),
        body=body,
        staged=own,
    )


def goes_to_mpi(call: Call, unless: str) -> str:
    """Before MPI_Init and after MPI_Finalize, and where nothing is to be done."""
    room = call.handler.split("::")[0]
    active = {"special": "", "counted": "", "p2p": "!p2p::active()"}.get(room, "!runtime::active()")
    return f"{active}{unless}" if active else ""


def inactive(call: Call, unless: str, real: str) -> str:
    condition = goes_to_mpi(call, unless)
    return f"  if ({condition}) return {real};\n" if condition else ""


def pass_through(call: Call, real: str) -> str:
    """Collectives get the way to MPI's own function, whatever the width of the counts."""
    return f", [&] {{ return {real}; }}" if call.handler.startswith("collective::") else ""


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
    return filled(call, call.name + "_c", parameters, given, fits, views)


def linker_options(calls: list[Call]) -> str:
    """Where Tightwire itself calls PMPI_<name>, __wrap_PMPI_<name> is called."""
    names = [call.name for call in calls]
    names += [call.name + "_c" for call in calls if call.large_count_parameters]
    return "".join(f"--wrap=PMPI_{name}\n" for name in names)


def main(table: str, output: str, options: str) -> None:
    try:
        calls = read_calls(table)
    except ValueError as problem:
        sys.exit(str(problem))
    with open(output, "w", encoding="utf-8") as file:
        file.write(HEADER)
        for call in calls:
            file.write(wrapper(call) + extension(call) + large_count_wrapper(call))
        file.write('\n}  // extern "C"\n')
    with open(options, "w", encoding="utf-8") as file:
        file.write(linker_options(calls))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
