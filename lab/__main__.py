"""Command line of the lab; ./run lab calls it."""

import argparse
import json
import os
import signal
import subprocess
import sys

from lab import mpi, network, rootless, state
from lab.errors import LabError
from lab.state import Lab


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run lab", description="Several hosts on one machine.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name: str, help: str, command: str | None = None) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=help, description=help)
        made.add_argument("--name", default=state.default_name(), help="one of several labs")
        if command:
            made.add_argument("command", nargs="+", metavar="COMMAND", help=command)
        return made

    def size(made: argparse.ArgumentParser) -> None:
        made.add_argument("--hosts", type=int, default=4)
        made.add_argument("--rate", default="1gbit", help="speed of each link; 0 is unlimited")
        made.add_argument("--burst", default="256k", help="bytes that pass at memory speed after "
            "a pause; 256k. With 16k short messages take as long as on a real link")  # fmt: skip

    size(verb("up", "make the hosts"))
    verb("down", "remove the hosts and end what runs on them").add_argument(
        "--all", action="store_true", help="every lab on this machine"
    )
    within = verb("with", "make the hosts, run COMMAND beside them, remove them", "a program")
    size(within)
    execute = verb(
        "exec", "run COMMAND under mpirun over the hosts, or plainly on one", "a program"
    )
    execute.add_argument("--mpi", choices=mpi.FAMILIES, help="without it COMMAND runs on --host")
    execute.add_argument("--host", default="host0")
    execute.add_argument("-n", type=int, default=0, metavar="RANKS", help="default: one per host")
    execute.add_argument("--ranks-per-host", type=int, default=0, help="default: as few as fit")
    execute.add_argument("--idle", choices=mpi.IDLE, default="yield", help="ranks that wait hand "
        "their core on, or keep it as MPICH does by itself; yield")  # fmt: skip
    execute.add_argument("--timeout", type=float, default=0, help="seconds, after which it ends")
    verb("counters", "bytes through each host's eth0").add_argument("--json", action="store_true")
    verb("list", "labs that are up")
    verb("check", "can there be a lab on this machine?")
    return parser.parse_args(arguments)


def up(options: argparse.Namespace) -> int:
    if not rootless.may_make_namespaces():
        raise LabError(
            "'up' needs root; without it a lab lives as long as a command: "
            "./run lab with --hosts 4 --rate 1gbit -- COMMAND"
        )
    network.up(Lab(options.name, options.hosts, options.rate, options.burst))
    return 0


def down(options: argparse.Namespace) -> int:
    if not rootless.may_make_namespaces():
        return 0  # a lab without root ends with its command
    for name in [lab.name for lab in state.load_all()] if options.all else [options.name]:
        network.down(name)
    return 0


def with_lab(options: argparse.Namespace) -> int:
    if not rootless.may_make_namespaces():
        rootless.again(sys.argv[1:])
    pid = os.getpid()
    name = f"with_{pid}"
    network.up(Lab(name, options.hosts, options.rate, options.burst, pid, state.process_start(pid)))
    try:
        child = subprocess.Popen(options.command, env=os.environ | {"TIGHTWIRE_LAB": name})
        try:
            return exit_status(child.wait())
        finally:
            child.terminate()
            child.wait()
    finally:
        network.down(name)


def exit_status(returncode: int) -> int:
    return returncode if returncode >= 0 else 128 - returncode


def execute(options: argparse.Namespace) -> int:
    lab = state.load(options.name)
    if options.mpi:
        ranks = options.n or lab.hosts * (options.ranks_per_host or 1)
        env = mpi.environment(lab, options.mpi, idle=options.idle)
        command = mpi.mpirun(lab, options.mpi, ranks, options.command, options.ranks_per_host)
    else:
        env = os.environ | {"TIGHTWIRE_LAB": lab.name}
        command = mpi.enter(lab, options.host, *options.command)
    if options.timeout:
        command = ["timeout", "--foreground", "--kill-after=5", str(options.timeout), *command]
    sys.stdout.flush()
    os.execvpe(command[0], command, env)


def counters(options: argparse.Namespace) -> int:
    counts = network.counters(state.load(options.name))
    if options.json:
        print(json.dumps(counts))
    else:
        print(f"{'host':8}{'sent, bytes':>16}{'received, bytes':>18}")
        for host, bytes_of in counts.items():
            print(f"{host:8}{bytes_of['tx_bytes']:16,}{bytes_of['rx_bytes']:18,}")
    return 0


def list_labs(_: argparse.Namespace) -> int:
    for lab in state.load_all():
        print(f"{lab.name}: {lab.hosts} hosts, {lab.rate}" + ", abandoned" * lab.abandoned)
    return 0


def check(_: argparse.Namespace) -> int:
    if rootless.may_make_namespaces():
        print("yes: up, down and with")
    elif reason := rootless.why_not():
        raise LabError(f"neither root nor unprivileged user namespaces: {reason}")
    else:
        print("yes, without root: with")
    return 0


VERBS = {
    "up": up,
    "down": down,
    "with": with_lab,
    "exec": execute,
    "counters": counters,
    "list": list_labs,
    "check": check,
}


def main() -> int:
    options = parse(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGHUP):  # ended by these, too, clean up
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        return VERBS[options.verb](options)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
