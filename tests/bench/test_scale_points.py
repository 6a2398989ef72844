"""results/scale.csv has no point of Tightwire's that no step of bench/pieces.toml makes: it would
be gone when ./run results makes the file anew."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))
import scale  # noqa: E402  (found through the line above)
from keyed_rows import Key, key_of, known_rows  # noqa: E402
from pieces import read_pieces  # noqa: E402


def points_of_step(arguments: list[str]) -> set[Key]:
    options = scale.parse(arguments)
    return {
        key_of(point, scale.KEY)
        for job, threads, field, size in scale.jobs_of(options)
        for point in scale.points_of(options, job, threads, field, size)
    }


def points_of_steps() -> set[Key]:
    found: set[Key] = set()
    piece = read_pieces(BENCH / "pieces.toml")["scale"]
    for _, _, name, *arguments in piece.commands(Path("/nowhere")):
        if name == "scale":
            found |= points_of_step(arguments)
    return found


def test_each_point_is_made_by_a_step():
    rows = known_rows(ROOT / "results" / "scale.csv", scale.KEY + scale.MEASURED, scale.KEY)
    own = {key for key, row in rows.items() if row["method"] == "tightwire"}
    assert len(own) > 800
    missing = own - points_of_steps()
    assert not missing, "\n".join(" ".join(key) for key in sorted(missing))


def test_points_of_a_step_are_those_that_it_writes():
    step = ["--nodes", "4", "--bytes", "1M", "--ops", "scatter", "--selectors", "mpich"]
    step += ["--methods", "tightwire", "--fields", "turbulence", "--per-rank"]
    point = "fat_tree 100 4 1 1 mpich turbulence 0.0001 contribution auto on scatter tightwire"
    assert points_of_step(step) == {(*point.split(), str(4 << 20))}
