#!/usr/bin/env python3
"""What Tightwire costs where there is nothing to gain: runs of MPI_Allreduce on noise and on small
messages, over four hosts of the lab, in turns with plain MPI. Writes results/noise.csv."""

import csv
import io
import sys

from lab_job import measure, parser_of, write_csv

MOST = 1.03
SIZES = [1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20]


def main() -> None:
    parser = parser_of("noise", __doc__)
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], default="mpich")
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--rates", nargs="+", default=["1gbit", "10gbit"])
    parser.add_argument("--calls", type=int, default=50, help="of each kind, in a run")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="bytes")
    options = parser.parse_args()
    rows = []
    for rate in options.rates:
        words = [str(options.calls), *map(str, options.sizes)]
        output = measure(
            options.mpi, options.hosts, rate, words, program="bench-noise", capture=True
        )
        for row in csv.DictReader(io.StringIO(output)):
            rows.append({"mpi": options.mpi, "link": rate, "hosts": options.hosts, **row})
            good = float(row["ours_over_raw"]) <= MOST
            print(
                f"{rate:>7} {row['data']:8}{int(row['bytes']):>9} bytes: ours/raw over the run "
                f"{row['ours_over_raw']}, medians {row['median_over_raw']}"
                f"{'' if good else f'  (wanted: {MOST})'}"
            )
    if not rows:
        sys.exit("bench: nothing was measured")
    options.results.mkdir(parents=True, exist_ok=True)
    write_csv(options.results / "noise.csv", list(rows[0]), rows)


if __name__ == "__main__":
    main()
