"""What a call with wide counts does where MPI is older than MPI 4 (wide_counts/): a function
that calls MPI's one with counts of type int."""

from calls_table import Call

FUNCTION = """
static int narrow_{name}_c({parameters}) {{
{body}  return real_{name}({arguments});
}}
"""


def length_of(call: Call, array: str) -> str:
    """How many there are in an array of counts or displacements."""
    if "eighbor" in call.name:
        return "destinations" if array.startswith("s") else "sources"
    return "members" if "op" in call.names else "all_parts"


def significant(call: Call, array: str) -> str:
    """The array, or nullptr where MPI would not look at it."""
    if "root" in call.names:
        return f"interpose::is_root(root, comm) ? {array} : nullptr"
    if array.startswith("s") and "eighbor" not in call.name:
        return f"sendbuf == MPI_IN_PLACE ? nullptr : {array}"
    return array


def narrow_array(call: Call, array: str) -> str:
    kept = "" if call.form == "waits" else "_kept"
    given = f"{significant(call, array)}, interpose::{length_of(call, array)}(comm)"
    return f"  const int* const {array}_as_int = narrow.all{kept}({given});\n"


def narrowed(call: Call, wide: tuple[str, ...]) -> str:
    """A count in front of a type never is too large: one element of a larger type serves. That of
    a reduction may be, and those in arrays."""
    reduces = "op" in call.names and "comm" in call.names
    given, body = list(call.names), ""
    may_refuse = False
    for i, (parameter, narrow) in enumerate(zip(wide, call.parameters, strict=True)):
        name = call.names[i]
        if parameter == narrow:
            continue
        if "[]" in parameter:
            body += narrow_array(call, name)
            given[i] = f"{name}_as_int"
            may_refuse = True
        elif reduces:
            body += f"  const int {name}_as_int = narrow.one({name});\n"
            given[i] = f"{name}_as_int"
            may_refuse = True
        else:
            view = f"{name}_elements"
            body += f"  const interpose::Elements {view}({name}, {call.names[i + 1]});\n"
            given[i : i + 2] = f"{view}.count()", f"{view}.type()"
    if may_refuse:
        body = f'  interpose::NarrowCounts narrow("MPI_{call.name}_c", comm);\n{body}'
        body += "  if (!narrow.fit()) return narrow.refuse();\n"
    arguments = ", ".join(given)
    parameters = ", ".join(wide)
    return FUNCTION.format(name=call.name, parameters=parameters, body=body, arguments=arguments)
