#!/usr/bin/env python3
"""Image stacking, the example of the published systems: four hosts add up their exposures of one
picture with MPI_Allreduce, by plain MPI, by the published ways of compressing, and by Tightwire,
all with the same error bounds. Writes results/stack.csv, with speed-up, where the time goes, and
the quality of the stack, and results/stack.png with the pictures of the first bound."""

import argparse
import csv
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from comparison_files import PARTS, Row, bound_list
from lab_job import HISTORY_OFF, ROOT, measure, parser_of, write_csv

sys.path.insert(0, str(ROOT / "examples" / "image_stack"))

from exposures import exposure, photograph
from quality import Quality, quality
from stack_picture import draw

# Open MPI takes an algorithm by name.
SETTINGS = HISTORY_OFF | {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
COLUMNS = ("error_bound", "method", "median_ms", "speedup", *PARTS)
COLUMNS += ("wire_bytes", "psnr_db", "nrmse", "max_error", "ranks_identical")


@dataclass
class Stack:
    """What one method made of the exposures."""

    error_bound: str  # as it was asked for
    result: Row
    breakdown: Row
    picture: np.ndarray
    quality: Quality

    @property
    def method(self) -> str:
        return self.result["method"]

    def columns(self) -> dict[str, str]:
        both = self.result | self.breakdown
        q = self.quality
        measured = {"psnr_db": f"{q.psnr_db:.2f}", "nrmse": f"{q.nrmse:.3e}"}
        measured["max_error"] = f"{q.largest_error:.4g}"
        measured["error_bound"] = self.error_bound
        return {column: (both | measured)[column] for column in COLUMNS}


def parse() -> argparse.Namespace:
    parser = parser_of("stack", __doc__)
    add = parser.add_argument
    add("--mpi", choices=("mpich", "openmpi"), default="mpich")
    add("--hosts", type=int, default=4)
    add("--rate", default="1gbit", help="speed of the links")
    add("--exposures", type=int, default=8)
    bounds = "in grey levels of the sum, or rel: and a part of the contributions' range; 2,rel:1e-4"
    add("--error-bounds", type=bound_list, default=["2", "rel:1e-4"], help=bounds)
    add("--seconds", default="20", help="to spend on measuring, each bound")
    options = parser.parse_args()
    if not 2 <= options.hosts <= options.exposures:
        parser.error(f"--hosts {options.hosts}: from 2 to as many as there are exposures")
    return options


@dataclass
class Contributions:
    total: np.ndarray  # in double precision
    range: float  # of all of them

    def absolute(self, bound: str) -> float:
        part = bound.removeprefix("rel:")
        return float(part) * (self.range if part != bound else 1)


def write_contributions(
    photo: np.ndarray, options: argparse.Namespace, folder: Path
) -> Contributions:
    """Every host's sum of its own exposures."""
    total, low, high = np.zeros(photo.shape), np.inf, -np.inf
    for rank in range(options.hosts):
        own = np.zeros(photo.shape, dtype=np.float32)
        for number in range(rank, options.exposures, options.hosts):
            own += exposure(photo, number)
        own.tofile(folder / f"{rank}.f32")
        total += own
        low, high = min(low, own.min()), max(high, own.max())
    return Contributions(total, float(high) - float(low))


def spoken(rate: str) -> str:
    """'2.5gbit' as one says it: '2.5 Gbit/s'."""
    number = rate.rstrip("kmgbit")
    return f"{number} {rate[len(number) :].capitalize()}/s" if number != rate else rate


def rows_of(file: Path) -> list[Row]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def measure_bound(
    options: argparse.Namespace, bound: str, folder: Path, exact: np.ndarray
) -> list[Stack]:
    files = {name: folder / f"{name}.csv" for name in ("output", "breakdown")}
    arguments = ["--files", str(folder), "--save", str(folder), "--ops", "allreduce"]
    arguments += ["--error-bound", bound, "--seconds", options.seconds]
    arguments += ["--fewest", "5"]
    arguments += [word for name, file in files.items() for word in (f"--{name}", str(file))]
    measure(options.mpi, options.hosts, options.rate, arguments, SETTINGS, "bench-comparison")
    stacks = []
    for result, breakdown in zip(
        rows_of(files["output"]), rows_of(files["breakdown"]), strict=True
    ):
        picture = np.fromfile(folder / f"{result['method']}.f32", dtype=np.float32)
        # The last values are left out where the hosts do not divide their number.
        picture = np.append(picture, exact.flat[picture.size :]).reshape(exact.shape)
        stacks.append(Stack(bound, result, breakdown, picture, quality(picture, exact)))
    return stacks


def print_table(stacks: list[Stack]) -> None:
    names = [part.removesuffix("_ms") for part in PARTS]
    print(f"\nerror bound {stacks[0].error_bound}")
    print(
        f"{'ms but for':20}{'time':>9}{'faster':>9}{''.join(f'{name:>12}' for name in names)}"
        f"{'MB sent':>10}{'PSNR, dB':>10}{'NRMSE':>9}{'largest':>9}{'same':>6}"
    )
    for stack in stacks:
        c = stack.columns()
        print(
            f"{stack.method:20}{float(c['median_ms']):9.1f}{float(c['speedup']):8.2f}x"
            f"{''.join(f'{float(c[part]):12.1f}' for part in PARTS)}"
            f"{int(c['wire_bytes']) / 1e6:10.1f}"
            f"{stack.quality.psnr_db:10.2f}{stack.quality.nrmse:9.1e}"
            f"{stack.quality.largest_error:9.2g}{c['ranks_identical']:>6}"
        )


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    scratch = ROOT / "results" / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=scratch) as name:
        print("preparing the exposures", flush=True)
        photo = photograph()
        contributions = write_contributions(photo, options, Path(name))
        exact = contributions.total
        by_bound = [
            measure_bound(options, bound, Path(name), exact) for bound in options.error_bounds
        ]
    for stacks in by_bound:
        print_table(stacks)
    results = options.results.resolve()
    rows = (stack.columns() for stacks in by_bound for stack in stacks)
    write_csv(results / "stack.csv", COLUMNS, rows)
    draw_first(options, by_bound[0], contributions, results / "stack.png")
    print(f"\n{results / 'stack.csv'}\n{results / 'stack.png'}")


def draw_first(
    options: argparse.Namespace, stacks: list[Stack], contributions: Contributions, picture: Path
) -> None:
    exact, bound = contributions.total, stacks[0].error_bound
    megabytes = exact.size * np.dtype(np.float32).itemsize / 1e6
    heading = (
        f"{options.exposures} exposures, MPI_Allreduce of {megabytes:.0f} MB over "
        f"{options.hosts} hosts at {spoken(options.rate)}, error bound {bound}"
    )
    pictures = {stack.method: stack.picture / options.exposures for stack in stacks}
    captions = {
        stack.method: f"{float(stack.result['speedup']):.2f}x, {stack.quality.psnr_db:.1f} dB"
        for stack in stacks
    }
    error_scale = contributions.absolute(bound) / options.exposures
    draw(picture, heading, pictures, captions, exact / options.exposures, error_scale)


if __name__ == "__main__":
    main()
