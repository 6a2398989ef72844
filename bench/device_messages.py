#!/usr/bin/env python3
"""Messages and collectives of what a GPU has, between hosts of the lab: copied by hand and given to
plain MPI, and given to Tightwire as it is, which stages it or has the GPU encode it (device =
stage, compress), in alternation. Writes results/device_messages.csv. Needs a GPU that both hosts
see, and libtightwire_cuda.so, which ./run device builds.

What a run measures replaces what the file holds of the same points; the rest stays."""

import argparse
import os
import subprocess
import sys
from itertools import product

from keyed_rows import key_of, known_rows, printed_rows
from lab_job import ROOT, field_cache, measure, parser_of, words, write_csv

KEY = ("gpu", "mpi", "hosts", "link_gbps", "device", "pattern", "field", "bytes")
COLUMNS = (*KEY, "us", "by_hand_us", "speedup", "wire_bytes", "by_hand_wire_bytes")
# Of the range.
BOUND = "1e-3"
CUDA_DRIVER = "libcuda.so.1"


def parse() -> argparse.Namespace:
    parser = parser_of("device_messages", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--hosts", type=int, default=2, help="more than two for collectives alone; 2")
    add("--links", type=words, default=["10", "25", "100"], help="Gbit/s; 10,25,100")
    add("--devices", type=words, default=["stage", "compress"], help="settings; stage,compress")
    add("--patterns", type=words, default=["message", "window"], 
        help="and allreduce, bcast, scatter, gather, allgather, alltoall")  # fmt: skip
    add("--fields", type=words, default=["turbulence", "quiet_wavefield"])
    add("--bytes", type=words, default=["262144", "1048576", "4194304", "16777216"])
    add("--seconds", default="1", help="to spend on each point; 1")
    add("--driver", default=CUDA_DRIVER, help="CUDA's, or what stands in for it")
    add("--plugin", default="build-device/lib", help="folder of libtightwire_cuda.so")
    return parser.parse_args()


def name_of_gpu() -> str:
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"bench: no GPU here, or nvidia-smi does not tell its name: {error}")


def job(options: argparse.Namespace, link: str, device: str) -> str:
    """What the benchmark prints; ends this program if it fails."""
    arguments = [
        *("--driver", options.driver, "--patterns", ",".join(options.patterns)),
        *("--fields", ",".join(options.fields), "--bytes", ",".join(options.bytes)),
        *("--bound", BOUND, "--seconds", options.seconds, "--cache", str(field_cache())),
    ]
    # Every message is the same again, of which history would leave nothing.
    launcher = ["--error-bound", f"rel:{BOUND}", "--history", "off", "--device", device]
    library_path = f"{(ROOT / options.plugin).resolve()}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    settings = {"LD_LIBRARY_PATH": library_path, "TIGHTWIRE_LINK": f"{link}G"}
    # Where there is no GPU, only a driver that is there before MPI begins is looked for.
    if options.driver != CUDA_DRIVER:
        settings["LD_PRELOAD"] = options.driver
    return measure(
        options.mpi,
        options.hosts,
        f"{link}gbit",
        arguments,
        settings,
        program="bench-device-messages",
        capture=True,
        launcher=launcher,
    )


def print_row(row: dict[str, str]) -> None:
    print(
        f"{row['hosts']:>2} hosts {row['link_gbps']:>4} {row['device']:9}{row['pattern']:10}"
        f"{row['field']:16}"
        f"{int(row['bytes']):>10} B{float(row['us']):11.1f} us{float(row['speedup']):6.2f} times "
        f"as fast as by hand, {float(row['by_hand_wire_bytes']) / float(row['wire_bytes']):.1f} "
        "times less on the wire",
        flush=True,
    )


def main() -> None:
    options = parse()
    gpu = name_of_gpu() if options.driver == CUDA_DRIVER else "none"
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results.resolve() / "device_messages.csv"
    table = known_rows(file, COLUMNS, KEY)
    for link, device in product(options.links, options.devices):
        place = dict(zip(KEY, (gpu, options.mpi, options.hosts, link, device), strict=False))
        for row in printed_rows(job(options, link, device), COLUMNS, place):
            table[key_of(row, KEY)] = row
            print_row(row)
        write_csv(file, COLUMNS, table.values())


if __name__ == "__main__":
    main()
