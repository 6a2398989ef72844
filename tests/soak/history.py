#!/usr/bin/env python3
"""./run soak history [--messages N] [--mpi FAMILY]: messages that are predicted from earlier ones,
in every way that tests/mpi/programs/steps_in_time.c sends them and in the collectives of
collectives_in_time.c, which wait, return at once or are persistent, with plenty and with little
memory, and where every twentieth message that would be kept finds none; every byte is checked.
Some collectives meet a damaged frame, one with a wrong reference, or one that has come before:
that call fails, and the program goes on. Then random programs (history.cpp), some of whose answers
are lost or tell another content, some of whose frames name wrong references or come again; theirs
is the time."""

import argparse
import itertools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mpi"))

from harness import OPENMPI_OPTIONS, Family  # noqa: E402
from test_history import COLLECTIVES, COUNTED, FORMS, SETTINGS, STARVED, WAYS  # noqa: E402

CHUNKS = {"mode": "adaptive+pipelined", "threshold-pipelined": "32K", "chunks": "4"}
MEMORY = ("256M", "1M", "300K")
# The first is plenty, and full after some thousand messages: from then on no memory is taken.
RANDOM_MEMORY = ("4M", "300K")
DAMAGES = ("block-bit", "reference", "payload-bit", "empty", "repeated")
STARVES = {"STARVE_KEPT": "20"}


def soak(
    family: Family,
    way: str,
    steps: int,
    settings: dict[str, str],
    form: str | None = None,
    damage: str | None = None,
) -> int:
    """How many messages were right; 0 if any was wrong. A collective has a form."""
    program, ranks = ("steps_in_time", 2) if form is None else ("collectives_in_time", 3)
    starves = settings["history-memory"] == "starved"
    behind = () if damage is None else ("damage",)
    every = {**SETTINGS, **settings, "verbose": "on"} | ({} if form is None else {"mode": "exact"})
    if starves:
        every["history-memory"] = "auto"
    variables = family.preload(every, *(["starve"] if starves else []), behind=behind)
    variables |= STARVES if starves else {}
    if damage is not None:
        variables |= {"DAMAGE": damage, "DAMAGE_OF": "predicted", "DAMAGE_RANK": "1"}
        variables["DAMAGE_FRAME"] = "3"
    words = [family.mpirun, *(OPENMPI_OPTIONS if family.name == "openmpi" else [])]
    words += ["-n", str(ranks), "env", *(f"{name}={value}" for name, value in variables.items())]
    words += [str(family.program(program)), way, str(steps), *(["0", form] if form else [])]
    root = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    done = subprocess.run(["env", *root, *words], capture_output=True, text=True, timeout=3000)
    counted = COUNTED.search(done.stdout)
    line = re.search(r"^history: .*$", done.stdout + done.stderr, re.MULTILINE)
    said = f"{counted[0]}; {line[0]}" if counted and line else done.stdout + done.stderr
    print(f"{family.name} {way} {form or ''} {settings} {damage or ''}: {said}", flush=True)
    right = done.returncode == 0 and counted and int(counted[2]) == 0
    if starves and COLLECTIVES[way] > 0:
        right = right and sum(map(int, STARVED.findall(done.stderr))) > 0
    if damage is not None:
        right = right and f"damage: {damage}, " in done.stderr and "failed calls 1\n" in done.stdout
    return int(counted[1]) if right else 0


# Of the random programs: every so many answers or predicted frames. A frame with a wrong reference
# or that has come before fails its receive, and is neither data nor the end of the others. Or every
# so many-th message that would be kept finds no memory.
FAULTS = {
    None: 0,
    "answer-lost": 40,
    "answer-hash": 40,
    "answer-bit": 40,
    "history-reference": 500,
    "history-repeated": 100,
    "no-memory": 20,
}
MAY_FAIL = ("history-reference", "history-repeated")
RANDOM = re.compile(r"^messages (\d+), failed (\d+), heap ([+-]\d+) B", re.MULTILINE)
DAMAGED = re.compile(r"^damage: \S+, (\d+) times$", re.MULTILINE)
# In that tenth of the messages in which it grew least.
MOST_GROWTH = 128 << 10


def is_right(done, fault: str | None, messages: int, plenty: bool) -> bool:
    """With little memory there may be nothing to damage."""
    found = RANDOM.search(done.stdout)
    if done.returncode != 0 or not found or int(found[1]) < 2 * messages:
        return False
    said = STARVED if fault == "no-memory" else DAMAGED
    damaged = sum(map(int, said.findall(done.stderr)))
    if fault is None and int(found[3]) > MOST_GROWTH:
        return False
    must_fail = fault in MAY_FAIL and damaged > 0
    return (fault is None or damaged > 0 or not plenty) and (int(found[2]) > 0) == must_fail


def soak_random(
    family: Family, messages: int, seed: int, settings: dict[str, str], fault: str | None
) -> int:
    """How many messages were right; 0 if any was wrong."""
    starves = fault == "no-memory"
    behind = () if fault is None or starves else ("damage_message",)
    before = ("starve",) if starves else ()
    variables = family.preload({**SETTINGS, **settings, "verbose": "on"}, *before, behind=behind)
    if starves:
        variables["STARVE_KEPT"] = str(FAULTS[fault])
    elif fault is not None:
        variables |= {"DAMAGE": fault, "DAMAGE_EVERY": str(FAULTS[fault])}
    if fault in MAY_FAIL:
        variables["SOAK_MAY_FAIL"] = "1"
    words = [family.mpirun, *(OPENMPI_OPTIONS if family.name == "openmpi" else [])]
    words += ["-n", "2", "env", *(f"{name}={value}" for name, value in variables.items())]
    words += [str(family.program("soak_history")), str(messages), str(seed)]
    root = ["OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    done = subprocess.run(["env", *root, *words], capture_output=True, text=True, timeout=3000)
    right = is_right(done, fault, messages, settings["history-memory"] == RANDOM_MEMORY[0])
    told = (
        RANDOM.search(done.stdout),
        (STARVED if starves else DAMAGED).search(done.stderr),
    )
    said = [found[0] for found in told if found]
    line = re.search(r"^history: .*$", done.stdout + done.stderr, re.MULTILINE)
    said += [line[0]] if line else []
    if not right:
        said.append(f"WRONG, exit code {done.returncode}\n{done.stdout}{done.stderr[-4000:]}")
    print(f"{family.name} random {seed} {settings} {fault or ''}: {'; '.join(said)}", flush=True)
    return 2 * messages if right else 0


# Its own persistent collectives fail now and then.
def is_left_to_mpich(family: Family, way: str, _memory: str, form: str) -> bool:
    return family.name == "mpich" and way == "threads" and form != "blocking"


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run soak history", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000, help="of all runs; 100000")
    parser.add_argument("--seed", type=int, default=1, help="of the random programs; 1")
    parser.add_argument("--only", choices=("messages", "collectives", "random"), help="these; all")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), help="one of them; both")
    options = parser.parse_args()
    names = [options.mpi] if options.mpi else ["openmpi", "mpich"]
    families = [Family(name, ROOT / "build") for name in names]
    for family in families:
        if reason := family.why_not():
            sys.exit(f"soak: {reason}")
    # What plain Open MPI bears, too: see test_history.py.
    runs = [
        (family, way, *rest)
        for family, way, *rest in itertools.product(families, WAYS, MEMORY, ({}, CHUNKS))
        if (family.name, way) != ("openmpi", "refused")
    ]
    collectives = [
        run
        for run in itertools.product(families, COLLECTIVES, (*MEMORY, "starved"), FORMS)
        # What both of the others have, and what nobody compresses.
        if (run[1], run[3]) != ("mixed", "at-once") and not is_left_to_mpich(*run)
    ]
    damaged = list(itertools.product(families, DAMAGES, MEMORY[:2], FORMS))
    if options.only not in (None, "messages"):
        runs = []
    if options.only not in (None, "collectives"):
        collectives, damaged = [], []
    # Each has a number of messages that ten tenths make up.
    programs = list(itertools.product(families, RANDOM_MEMORY, FAULTS))
    if options.only not in (None, "random"):
        programs = []
    # A step is two messages at least.
    others = len(runs) + len(collectives) + len(damaged)
    # Random programs have half of the messages, or all.
    share = options.messages // (2 if others and programs else 1)
    steps = max(24, share // (2 * max(1, others)))
    counts = [
        soak(family, way, steps, {"history-memory": memory, **chunks})
        for family, way, memory, chunks in runs
    ]
    counts += [
        soak(family, way, steps, {"history-memory": memory}, form)
        for family, way, memory, form in collectives
    ]
    counts += [
        soak(family, "recovers", steps, {"history-memory": memory}, form, damage)
        for family, damage, memory, form in damaged
    ]
    counts += [
        soak_random(
            family,
            max(1000, share // (20 * len(programs)) * 10),
            options.seed + number,
            {"history-memory": memory},
            fault,
        )
        for number, (family, memory, fault) in enumerate(programs)
    ]
    print(f"{sum(counts)} messages right in {sum(n > 0 for n in counts)} of {len(counts)} runs")
    sys.exit(any(n == 0 for n in counts))


if __name__ == "__main__":
    main()
