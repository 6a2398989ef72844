"""./run bench collectives: how it grows its files, what it refuses, what it says of them. The
measuring program itself is tested in tests/mpi/test_comparison.py."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import comparison_files as files  # noqa: E402  (found through the line above)
import comparison_table  # noqa: E402  (found through the line above)

RESULT = "allreduce,{method},10,4,{bytes},turbulence,2.0,4.0,2.0,100,{error},{same}\n"
PARTS = "allreduce,{method},10,4,{bytes},turbulence,,1.0,0.25,0.25,0.25,0.125,0.125\n"
POINT = files.Point("allreduce", "turbulence", "10", 4)


def results(*rows, error="0.9", same="yes"):
    heading = ",".join(files.RESULTS) + "\n"
    lines = [RESULT.format(method=m, bytes=b, error=error, same=same) for m, b in rows]
    return heading + "".join(lines)


def breakdown(*rows):
    heading = ",".join(files.BREAKDOWN) + "\n"
    return heading + "".join(PARTS.format(method=m, bytes=b) for m, b in rows)


def write(path, text):
    path.write_text(text)
    return path


def test_columns_of_the_results():
    assert ",".join(files.RESULTS) == (
        "op,method,link_gbps,hosts,bytes,field,median_ms,raw_ms,speedup,wire_bytes,"
        "max_error_over_bound,ranks_identical"
    )


def test_rows_of_a_point_replace_those_that_were_there(tmp_path):
    path = write(tmp_path / "collectives.csv", results(("raw", 65536), ("ccoll", 65536)))
    table = files.Table(path, files.RESULTS)
    new = results(("ccoll", 65536), ("raw", 1 << 20))
    table.add(write(tmp_path / "new.csv", new.replace(",2.0,4.0,2.0,", ",1.0,4.0,4.0,")))
    table.write()
    rows = files.Table(path, files.RESULTS).sorted()
    assert [(row["method"], row["bytes"], row["speedup"]) for row in rows] == [
        ("ccoll", "65536", "4.0"),
        ("raw", "65536", "2.0"),
        ("raw", "1048576", "4.0"),
    ]
    assert [file.name for file in tmp_path.glob("*")].count(".collectives.csv") == 0


def test_a_point_is_there_when_all_its_methods_are(tmp_path):
    table = files.Table(write(tmp_path / "a.csv", results(("raw", 65536))), files.RESULTS)
    assert table.holds(POINT, 65536, ["raw"])
    assert not table.holds(POINT, 65536, ["raw", "ccoll"])
    assert not table.holds(POINT, 1 << 20, ["raw"])


def test_a_point_of_shortened_vectors_is_there_too(tmp_path):
    text = results(("raw", 65532)).replace(",10,4,", ",10,3,")
    table = files.Table(write(tmp_path / "a.csv", text), files.RESULTS)
    assert table.holds(files.Point("allreduce", "turbulence", "10", 3), 65536, ["raw"])


def test_a_foreign_file_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="other columns"):
        files.Table(write(tmp_path / "a.csv", "a,b\n1,2\n"), files.RESULTS)


@pytest.mark.parametrize(
    ("method", "error", "same", "broken"),
    [
        ("tightwire", "1", "yes", False),
        ("tightwire", "1.001", "yes", True),
        ("tightwire", "inf", "yes", True),
        ("tightwire-result", "0.5", "no", True),
        ("ccoll", "7", "no", False),
    ],
)
def test_broken_promises_are_ours_alone(tmp_path, method, error, same, broken):
    text = results((method, 65536), error=error, same=same)
    table = files.Table(write(tmp_path / "a.csv", text), files.RESULTS)
    assert files.report_broken_promises(table) == broken


def test_tightwire_is_compared_with_the_baseline(tmp_path):
    text = results(("ccoll", 65536)) + RESULT.format(
        method="tightwire", bytes=65536, error="0.9", same="yes"
    ).replace(",2.0,4.0,2.0,", ",0.8,4.0,5.0,")
    rows = files.Table(write(tmp_path / "a.csv", text), files.RESULTS).sorted()
    assert comparison_table.over_ccoll(rows) == [("65536", "turbulence", 2.5)]
    assert comparison_table.table(rows).splitlines() == [
        "| operation | field | plain MPI, ms | ccoll | tightwire |",
        "|---|---|---:|---:|---:|",
        "| allreduce | turbulence | 4.0 | 2.00 | 5.00 |",
    ]


def test_common_size_is_the_largest_of_the_most_measured(tmp_path):
    rows = [
        ("raw", 65536),
        ("ccoll", 65536),
        ("raw", 1 << 20),
        ("ccoll", 1 << 20),
        ("raw", 1 << 24),
    ]
    table = files.Table(write(tmp_path / "a.csv", results(*rows)), files.RESULTS)
    assert comparison_table.common_size(table.sorted()) == str(1 << 20)


def run(*arguments):
    return subprocess.run(
        [sys.executable, BENCH / "collectives.py", *arguments], capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ops", "scan"], ["--ops", "'scan'", "reduce_scatter"]),
        (["--methods", "zccl"], ["--methods", "'zccl'", "ccoll"]),
        (["--bytes", "3M"], ["--bytes", "'3M'", "power of two"]),
        (["--bytes", "100"], ["--bytes", "'100'"]),
        (["--hosts", "1"], ["--hosts", "'1'", "from 2 on"]),
        (["--links", "fast"], ["--links", "'fast'", "Gbit/s"]),
        (["--links", "0"], ["--links", "'0'"]),
        (["--mpi", "other"], ["--mpi", "openmpi"]),
    ],
)
def test_bad_arguments(tmp_path, arguments, words):
    done = run(*arguments, "--results", tmp_path / "results")
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert all(word in last for word in words), done.stderr
    assert not (tmp_path / "results").exists()


def test_draws_what_is_there(tmp_path):
    rows = [(m, b) for m in ("raw", "ccoll", "tightwire") for b in (65536, 1 << 20)]
    write(tmp_path / "collectives.csv", results(*rows))
    write(tmp_path / "collectives_breakdown.csv", breakdown(*rows))
    done = run("--draw", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "6 rows of Tightwire" not in done.stdout and "2 rows of Tightwire" in done.stdout
    for name in ("collectives-4x10g.png", "collectives_breakdown-4x10g.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
