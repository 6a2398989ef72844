#!/usr/bin/env python3
"""The main experiment of the AdaComp README: three hosts at 1 Gbit/s, 1 Mi smooth float32 values,
every mode and collective against plain MPI. Writes results/adacomp.csv for MPICH, and for Open MPI
results/adacomp-openmpi.csv as it comes and results/adacomp-openmpi-best.csv with its fastest
allreduce for large messages (MPICH's own choices are its fastest here)."""

import argparse
import csv
from dataclasses import dataclass, field

from lab_job import HISTORY_OFF, measure, parser_of

# What an experiment has to show, for the default mode.
LEAST_SPEEDUP = 4.0
LEAST_SAVED = 0.85


@dataclass(frozen=True)
class Variant:
    family: str
    file: str
    about: str
    environment: dict[str, str] = field(default_factory=dict)


SEGMENTED_RING = {
    "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
    "OMPI_MCA_coll_tuned_allreduce_algorithm": "5",
}
VARIANTS = {
    "mpich": Variant("mpich", "adacomp.csv", "MPICH"),
    "openmpi": Variant("openmpi", "adacomp-openmpi.csv", "Open MPI as it comes"),
    "openmpi-best": Variant(
        "openmpi",
        "adacomp-openmpi-best.csv",
        "Open MPI with the segmented ring for allreduce",
        SEGMENTED_RING,
    ),
}


def parse() -> argparse.Namespace:
    parser = parser_of("adacomp", __doc__)
    parser.add_argument("--only", choices=VARIANTS, help="one of the MPIs")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--rate", default="1gbit", help="speed of each link")
    parser.add_argument("--count", type=int, default=1 << 20, help="float32 values of a message")
    parser.add_argument("--seconds", default="8", help="to spend on each collective")
    return parser.parse_args()


def verdict(row: dict[str, str]) -> str:
    saved = 1 - int(row["wire_bytes"]) / int(row["raw_wire_bytes"])
    speedup = float(row["speedup"])
    good = speedup >= LEAST_SPEEDUP and saved >= LEAST_SAVED
    return (
        f"  {row['collective']:9} {speedup:5.1f} x faster (wanted: {LEAST_SPEEDUP:g}), "
        f"{saved:.0%} fewer bytes (wanted: {LEAST_SAVED:.0%}): {'yes' if good else 'NO'}"
    )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    for name in [options.only] if options.only else VARIANTS:
        variant = VARIANTS[name]
        file = options.results.resolve() / variant.file
        print(f"== {variant.about}", flush=True)
        arguments = ["--counts", str(options.count), "--seconds", options.seconds]
        arguments += ["--error-bound", "rel:1e-4", "--output", str(file)]
        settings = HISTORY_OFF | variant.environment
        measure(variant.family, options.hosts, options.rate, arguments, settings)
        print("adaptive+pipelined:")
        with file.open() as lines:
            for row in csv.DictReader(lines):
                if row["mode"] == "adaptive+pipelined":
                    print(verdict(row))


if __name__ == "__main__":
    main()
