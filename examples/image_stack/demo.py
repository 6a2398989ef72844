#!/usr/bin/env python3
"""The demo: the same program plain, under tightwire without an error bound, and with one; then a
heat solver in mpi4py, plain and under tightwire.

Runs inside `./run lab with`. Prints tables, writes pictures to results/demo and results/demo.csv.
Fails if a result is outside the bound, or differs between ranks, or the solver's from plain MPI's.
"""

import argparse
import csv
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pictures
from exposures import photograph, write_exposures
from quality import Quality, quality
from runs import BUILD, ROOT, Way, run_all
from solver import Run, run_solver

NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# Open MPI by itself does not choose the algorithm that is best for so large a message. MPICH's own
# choice, reduce-scatter and allgather, is the best that it has.
RING = {
    "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
    "OMPI_MCA_coll_tuned_allreduce_algorithm": "4",
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run demo", description=__doc__)
    parser.add_argument("--mpi", choices=NAMES, default="mpich")
    parser.add_argument("--rate", default="1gbit", help="speed of the links")
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--exposures", type=int, default=8)
    parser.add_argument(
        "--error-bound", type=float, default=8.0, help="largest error of the sum, in grey levels"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3, help="stacks in each run")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="folder to write to")
    return parser.parse_args()


def ways(family: str, bound: float) -> list[Way]:
    """Plain first, bounded last."""
    tightwire = str(BUILD / "bin" / "tightwire")
    bounded = [tightwire, "--error-bound", str(bound)]
    return [
        Way("plain", []),
        *([Way("plain, told to use a ring", [], RING)] if family == "openmpi" else []),
        # Sums that round are left to MPI unless one asks for their compression.
        Way("tightwire --mode exact", [tightwire, "--mode", "exact"]),
        Way(f"tightwire --error-bound {bound:g}", bounded, bound=bound),
    ]


def spoken(rate: str) -> str:
    """'2.5gbit' as one says it: '2.5 Gbit/s'."""
    number, unit = re.fullmatch(r"([0-9.]+)([kmg]?bit)?|unlimited", rate).groups()
    return f"{number} {unit.capitalize()}/s" if unit else "unlimited speed"


def against_photograph(photo: np.ndarray, one: np.ndarray, count: int, all_ways: list[Way]) -> str:
    """What the error means: how near each stack comes to the photograph without noise."""
    found = {"one exposure": one}
    for way in (all_ways[0], all_ways[-1]):
        found[way.name] = way.stack.reshape(photo.shape) / count
    parts = [f"{name} {quality(p, photo).psnr_db:.2f} dB" for name, p in found.items()]
    return "PSNR against the photograph without noise: " + ", ".join(parts)


def table(all_ways: list[Way], qualities: list[Quality]) -> str:
    lines = [
        f"{'':28}{'time per':>10}{'on the':>10}{'':>7}{'':>9}{'':>10}{'largest':>10}",
        f"{'':28}{'stack':>10}{'wire':>10}{'faster':>7}{'PSNR':>9}{'NRMSE':>10}{'error':>10}"
        f"{'bound':>7}",
    ]
    for way, q in zip(all_ways, qualities, strict=True):
        lines.append(
            f"{way.name:28}{1e3 * way.time_s:7.0f} ms{way.bytes_sent / 1e6:7.0f} MB"
            f"{all_ways[0].time_s / way.time_s:6.2f}x{q.psnr_db:6.1f} dB{q.nrmse:10.1e}"
            f"{q.largest_error:10.2g}{f'{way.bound:g}' if way.bound else '-':>7}"
        )
    return "\n".join(lines)


def solver_table(runs: list[Run]) -> str:
    """Faces sent at every step: what is in them is the same, so only time and bytes are told."""
    lines = [f"{'':28}{'loop':>10}{'on the wire':>13}{'faster':>8}"]
    for run in runs:
        lines.append(
            f"{run.name:28}{1e3 * run.time_s:7.0f} ms{run.bytes_sent / 1e6:10.1f} MB"
            f"{runs[0].time_s / run.time_s:7.2f}x"
        )
    return "\n".join(lines)


def write_csv(file: Path, all_ways: list[Way], qualities: list[Quality], runs: list[Run]) -> None:
    columns = ["way", "seconds", "wire_bytes", "speedup", "psnr_db", "nrmse"]
    columns += ["largest_error", "error_bound"]
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for way, q in zip(all_ways, qualities, strict=True):
            speedup = all_ways[0].time_s / way.time_s
            numbers = (way.time_s, way.bytes_sent, speedup, q.psnr_db, q.nrmse, q.largest_error)
            writer.writerow([way.name, *(f"{number:.6g}" for number in numbers), way.bound])
        for run in runs:
            numbers = (run.time_s, run.bytes_sent, runs[0].time_s / run.time_s)
            writer.writerow([run.name, *(f"{number:.6g}" for number in numbers), *4 * [""]])


def write_pictures(
    folder: Path, heading: str, one: np.ndarray, count: int, all_ways: list[Way], runs: list[Run]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shape = one.shape
    plain, exact, bounded = (all_ways[i].stack.reshape(shape) for i in (0, -2, -1))
    bound = all_ways[-1].bound
    difference = pictures.as_grey(bounded - plain, bound)
    stacks = {"plain": plain, "tightwire": exact, "tightwire-bounded": bounded}
    images = {name: pictures.brightened(stack / count) for name, stack in stacks.items()}
    images |= {"exposure": pictures.brightened(one), "difference": difference}
    for name, image in images.items():
        pictures.save(folder / f"{name}.png", image)
    names = [way.name for way in all_ways]
    pictures.page(
        folder / "demo.png",
        heading,
        [
            (images["exposure"], "one exposure"),
            (images["plain"], f"stack of {count}, plain"),
            (images["tightwire-bounded"], f"stack of {count}, {names[-1]}"),
            (difference, f"difference; black and white are ±{bound:g}"),
        ],
        [
            charts(all_ways, "time per stack"),
            charts(runs, f"heat equation in mpi4py, {runs[0].ranks} hosts: time of the loop"),
        ],
    )


def charts(measured: list[Way] | list[Run], title: str) -> pictures.Charts:
    return pictures.Charts(
        [(one.name, bool(one.prefix)) for one in measured],
        [
            ([1e3 * one.time_s for one in measured], title, "ms"),
            ([one.bytes_sent / 1e6 for one in measured], "bytes through the links", "MB"),
        ],
    )


def broken_promises(all_ways: list[Way], qualities: list[Quality], rounding: float) -> list[str]:
    """`rounding`: what float32 sums may be off by, whatever carries them."""
    broken = [f"{way.name}: ranks hold different stacks" for way in all_ways if not way.identical]
    for way, q in zip(all_ways, qualities, strict=True):
        if q.largest_error > way.bound + rounding:
            broken.append(f"{way.name}: error {q.largest_error:g} is above {way.bound:g}")
    return broken


def main() -> int:
    options = parse()
    scratch = ROOT / "results" / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    all_ways = ways(options.mpi, options.error_bound)
    with TemporaryDirectory(dir=scratch) as folder:
        print("preparing the exposures", flush=True)
        photo = photograph()
        exact_sum = write_exposures(photo, options.exposures, Path(folder))
        one = np.fromfile(Path(folder, "0.f32"), dtype=np.float32).reshape(photo.shape)
        run_all(options.mpi, all_ways, Path(folder), options.rounds, options.repeats)
        runs = run_solver(options.mpi, Path(folder), options.rounds)
    qualities = [quality(way.stack.reshape(photo.shape), exact_sum) for way in all_ways]
    heading = (
        f"{options.exposures} exposures of {photo.nbytes / 1e6:.0f} MB float32, "
        f"MPI_Allreduce over {options.hosts} hosts at {spoken(options.rate)}, {NAMES[options.mpi]}"
    )
    print(f"\n{heading}; medians of {len(all_ways[0].seconds)}\n")
    print(table(all_ways, qualities))
    print(f"\n{against_photograph(photo, one, options.exposures, all_ways)}")
    solver = f"heat equation in mpi4py on {runs[0].ranks} hosts"
    print(f"\n{solver}, the same output in every byte\n\n{solver_table(runs)}")
    write_csv(options.results / "demo.csv", all_ways, qualities, runs)
    write_pictures(options.results / "demo", heading, one, options.exposures, all_ways, runs)
    print(f"\nPictures are in {options.results}/demo, numbers in {options.results}/demo.csv.")
    rounding = options.exposures * float(np.spacing(np.float32(exact_sum.max())))
    broken = broken_promises(all_ways, qualities, rounding)
    print("\n".join(broken), file=sys.stderr, end="\n" if broken else "")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
