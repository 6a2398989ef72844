"""How far simulated figures are from the lab's, by results/scale_validation.csv: what stands beside
each of them on the console, in pictures and on the pages."""

import csv
from pathlib import Path
from statistics import median

NOT_COMPARED = "not compared"
NOT_VALIDATED = "times not validated against measurements"
SAME_CALL = ("hosts", "ranks_per_host", "link_gbps", "selector", "field", "op", "bytes")


def percent(errors: list[float]) -> str:
    """The median and the worst, either way."""
    if not errors:
        return NOT_COMPARED
    sizes = [100 * abs(error) for error in errors]
    return f"{median(sizes):.0f} %, {max(sizes):.0f} %"


class Validation:
    """Errors are simulated over lab, less one: of all hosts, links and sizes that were compared, as
    the jobs that are simulated alone are larger than any of these."""

    def __init__(self, folder: Path) -> None:
        file = folder / "scale_validation.csv"
        self.rows: list[dict[str, str]] = []
        if file.exists():
            with file.open(newline="") as lines:
                self.rows = list(csv.DictReader(lines))
        self.plain = {
            tuple(row[name] for name in SAME_CALL): row
            for row in self.rows
            if row["method"] == "raw"
        }

    def of_times(
        self, op: str, method: str, field: str, several: bool = False, algorithm: str = "auto"
    ) -> list[float]:
        rows = self._rows(op, method, field, several, algorithm)
        return [float(row["error"]) for row in rows]

    def of_gains(
        self, op: str, method: str, field: str, several: bool = False, algorithm: str = "auto"
    ) -> list[float]:
        """Of how many times as fast as plain MPI, whose own time may be off, too."""
        return [self._gain(row) for row in self._rows(op, method, field, several, algorithm)]

    def beside(self, row: dict[str, str]) -> str:
        """For the console, beside a row of results/scale.csv."""
        several = int(row["ranks_per_node"]) > 1
        # An algorithm is Tightwire's; plain MPI goes as ever.
        algorithm = row["algorithm_asked"] if row["method"] == "tightwire" else "auto"
        place = (row["op"], row["method"], row["field"], several, algorithm)
        times = self.of_times(*place)
        if not times:
            return NOT_VALIDATED
        of_gains = "" if row["method"] == "raw" else f", x by {percent(self.of_gains(*place))}"
        return f"off the lab's, median and worst: ms by {percent(times)}{of_gains}"

    def of_all(self) -> str:
        if not self.rows:
            return NOT_VALIDATED
        errors = [float(row["error"]) for row in self.rows]
        return f"off the lab's, median and worst: {percent(errors)}"

    def _rows(self, op: str, method: str, field: str, several: bool, algorithm: str) -> list:
        wanted = {"op": op, "method": method, "field": field, "algorithm_asked": algorithm}
        return [
            row
            for row in self.rows
            if wanted.items() <= row.items() and (int(row["ranks_per_host"]) > 1) == several
        ]

    def _gain(self, row: dict[str, str]) -> float:
        plain = self.plain[tuple(row[name] for name in SAME_CALL)]
        simulated, lab = (
            float(plain[column]) / float(row[column]) for column in ("simulated_ms", "lab_ms")
        )
        return simulated / lab - 1
