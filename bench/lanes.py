#!/usr/bin/env python3
"""Hosts with several ranks each: plain MPI, Tightwire's flat rings and its lanes, in alternation in
one run. Writes results/lanes.csv."""

import argparse

from lab_job import BIN, measure, parser_of

HEAD = (
    "link_gbps,hosts,ranks_per_host,op,bytes,field,method,median_ms,raw_ms,speedup,ranks_identical"
)
FIELDS = ["quiet_wavefield", "turbulence"]
ERROR_BOUND = "1e-3"


def parse() -> argparse.Namespace:
    parser = parser_of("lanes", __doc__)
    parser.add_argument("--mpi", default="mpich", choices=["mpich", "openmpi"])
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--ranks-per-host", type=int, default=2)
    parser.add_argument("--links", default="1,10", help="Gbit/s, one or more")
    parser.add_argument("--bytes", type=int, default=32 << 20)
    parser.add_argument("--seconds", default="6", help="to spend on each operation")
    return parser.parse_args()


def job(options: argparse.Namespace, link: str, field: str) -> list[str]:
    """The lines that the benchmark prints; ends this program if it fails."""
    cache = BIN.parent / "fields"
    cache.mkdir(exist_ok=True)
    arguments = ["--field", field, "--bytes", str(options.bytes)]
    arguments += ["--seconds", options.seconds, "--cache", str(cache)]
    printed = measure(
        options.mpi,
        options.hosts,
        f"{link}gbit",
        arguments,
        program="bench-lanes",
        capture=True,
        launcher=["--error-bound", ERROR_BOUND, "--bound-applies-to", "contribution"],
        ranks=options.hosts * options.ranks_per_host,
    )
    return printed.splitlines()


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    lines = [HEAD]
    for link in options.links.split(","):
        for field in FIELDS:
            for line in job(options, link, field):
                lines.append(f"{link},{options.hosts},{options.ranks_per_host},{line}")
                print(lines[-1], flush=True)
    (options.results / "lanes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
