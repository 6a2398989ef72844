#!/usr/bin/env python3
"""tightwire plot: draws the CSV files that Tightwire and its benchmarks write. What a file holds is
recognised by its columns."""

import argparse
import sys
from pathlib import Path

from measurements import PlotError, read

try:
    from drawings import drawing_for
    from picture import save
except ImportError as error:
    sys.exit(
        f"tightwire plot: matplotlib is missing ({error}); install it with: pip install "
        "matplotlib, or in a source tree ./run build, which makes an environment that has it"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tightwire plot", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE.csv")
    parser.add_argument("-o", "--output", type=Path, help="picture to write; default: FILE.png")
    return parser.parse_args()


def main() -> None:
    options = parse()
    output = options.output or options.file.with_suffix(".png")
    try:
        columns, rows = read(options.file)
        figure = drawing_for(options.file, columns)(rows)
        save(figure, output)
    except PlotError as error:
        sys.exit(f"tightwire plot: {error}")
    print(output)


if __name__ == "__main__":
    main()
