#!/usr/bin/env python3
"""What an audit costs, whether it changes anything, and whether its forecast comes true: programs
over hosts of the lab, in turns plain, under tightwire audit, and under tightwire as the audit
advises without a bound. Their output must be the same in every byte but for timings. Forecast and
outcome are times from MPI_Init to MPI_Finalize; what the audit costs is told by the own clocks of
the programs. Writes results/audit.csv."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lab_job import ROOT, parser_of, write_csv
from lab_programs import Hpcc, Lammps, Ours, perform
from lab_silicon import QuantumEspresso
from programs import is_there

HEADER = [
    *("program", "link_gbps", "hosts", "plain_seconds", "audit_seconds", "stated_cost"),
    *("job_seconds", "predicted_gain", "least_gain", "most_gain", "gain", "job_error"),
    *("same_output",),
]


@dataclass
class Audited:
    seconds: float  # by the program's own clock
    output: bytes
    audit: dict

    @property
    def job(self) -> float:
        return self.audit["seconds"]

    @property
    def stated_cost(self) -> float:
        return self.audit["cost_seconds"] / self.job

    @property
    def forecast(self) -> dict:
        return next(one for one in self.audit["forecast"] if one["choice"] == "exact")


def audited(program, hosts: int) -> Audited:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "audit.json"
        run = perform(program, "audit", hosts, ["--audit", str(file)])
        return Audited(run.seconds, run.output, json.loads(file.read_text()))


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def measure(program, link: str, hosts: int, rounds: int) -> dict:
    print(f"{program.name}, {link} Gbit/s", flush=True)
    plain, audits, compressed = [], [], []
    for _ in range(rounds):
        plain.append(perform(program, "plain", hosts, None))
        audits.append(audited(program, hosts))
        compressed.append(perform(program, "as advised", hosts, ["--link", f"{link}G"]))
    outputs = {run.output for run in (*plain, *audits, *compressed)}
    job = statistics.median(one.job for one in audits)
    job_after = statistics.median(run.job_seconds for run in compressed)
    gains = {
        key: statistics.median(one.forecast[key] for one in audits)
        for key in ("seconds", "least", "most")
    }
    values = {
        "plain_seconds": statistics.median(run.seconds for run in plain),
        "audit_seconds": statistics.median(one.seconds for one in audits),
        "stated_cost": statistics.median(one.stated_cost for one in audits),
        "job_seconds": job,
        "predicted_gain": gains["seconds"],
        "least_gain": gains["least"],
        "most_gain": gains["most"],
        "gain": job - job_after,
        "job_error": (job - gains["seconds"]) / job_after - 1,
    }
    row = {"program": program.name, "link_gbps": link, "hosts": hosts}
    row |= {key: rounded(value) for key, value in values.items()}
    print(f"  {row}", flush=True)
    return row | {"same_output": len(outputs) == 1}


def programs_of(options: argparse.Namespace) -> list:
    quick = options.quick
    programs = [
        Lammps("melt", 24 if quick else 40, 20 if quick else 40),
        Lammps("salt", 16 if quick else 28, 10),
        Hpcc(1000, 2, options.hosts // 2),
        Ours("heat", 256, 40 if quick else 120),
        QuantumEspresso(1 if quick else 2, 3),
    ]
    return [one for one in programs if options.only in (None, one.name) and is_there(one)]


def within_the_lab(options: argparse.Namespace, link: str) -> None:
    file = options.results.resolve() / "audit.csv"
    rounds = 1 if options.quick else 3
    rows = [measure(one, link, options.hosts, rounds) for one in programs_of(options)]
    write_csv(file, HEADER, rows)
    changed = [row["program"] for row in rows if not row["same_output"]]
    if changed:
        sys.exit(f"bench: computes something else under an audit: {', '.join(changed)}")


def parse() -> argparse.Namespace:
    parser = parser_of("audit", __doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="small problems, once each")
    add("--link", default="0.1", help="Gbit/s; 0.1")
    add("--hosts", type=int, choices=(2, 4, 6, 8), default=4)
    add("--only", metavar="PROGRAM", help="a name of the first column, such as lammps-melt")
    add("--within", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parse()
    options.results.mkdir(parents=True, exist_ok=True)
    if options.within:
        return within_the_lab(options, options.link)
    lab = [str(ROOT / "run"), "lab", "with", "--hosts", str(options.hosts)]
    again = [sys.executable, *sys.argv, "--within"]
    rate = f"{round(1000 * float(options.link))}mbit"
    done = subprocess.run([*lab, "--rate", rate, "--", *again], env=os.environ)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
