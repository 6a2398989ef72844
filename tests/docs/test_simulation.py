"""The tables of docs/dev/simulation.md beside results/scale.csv."""

from statistics import median

from page_tables import Row, measured, number, said, tables, the

PAGE = "docs/dev/simulation.md"
MEBI = 1 << 20
TWO_RANKS = {"nodes": "2", "rel_bound": "0.001", "bytes": str(32 * MEBI), "method": "tightwire"}


def of_two_ranks(operation: str, field: str, link: str, threads: str) -> Row:
    case = {"op": operation, "field": field, "link_gbps": link, "threads": threads}
    return the("scale.csv", **case, **TWO_RANKS)


def test_links_and_threads():
    (rows,) = tables(PAGE, "field, link", "allreduce")
    assert len(rows) == 12
    operations = ("allreduce", "bcast", "allgather", "scatter", "alltoall", "reduce_scatter")
    for place, *figures in rows:
        field, link = place.removesuffix(" Gbit/s").split(", ")
        for operation, figure in zip(operations, figures, strict=True):
            of = [
                of_two_ranks(operation, field.replace(" ", "_"), link, threads)
                for threads in ("1", "2", "4", "8", "16")
            ]
            expected = ", ".join(f"{number(row, 'speedup'):.1f}" for row in of)
            assert figure == expected, (place, operation)


def test_what_eight_threads_gain_measured_and_simulated():
    (rows,) = tables(PAGE, "eight threads over one")
    assert len(rows) == 4
    for place, *figures in rows:
        operation, field = place.replace(", ", ",").replace(" ", "_").split(",")
        for link, figure in zip(("10", "25"), figures, strict=True):
            lab = {"operation": operation, "field": field, "link_gbps": link}
            lab |= {"cores_per_rank": "8"}
            one, eight = (
                number(the("threads.csv", threads=threads, **lab), "median_ms")
                for threads in ("1", "8")
            )
            alone, together = (
                number(of_two_ranks(operation, field, link, threads), "ms")
                for threads in ("1", "8")
            )
            assert figure == f"{one / eight:.1f}, {alone / together:.1f}", place


def test_algorithms_of_512_ranks():
    (rows,) = tables(PAGE, "512 ranks, 1 MiB", "own choice")
    assert len(rows) == 2
    for field, *figures in rows:
        case = {"nodes": "512", "op": "allreduce", "bytes": str(MEBI), "method": "tightwire"}
        case |= {"field": field.replace(" ", "_")}
        names = ("ring", "recursive-doubling", "rabenseifner")
        case |= {"bound_applies_to": "contribution"}
        of = [the("scale.csv", algorithm_asked=name, **case) for name in names]
        own = the("scale.csv", algorithm_asked="auto", **case)
        assert all(row["ranks_identical"] == "1" for row in (own, *of))
        assert all(number(row, "max_error_over_bound") <= 512 for row in (own, *of))
        plain = the("scale.csv", algorithm_asked="ring", **case | {"method": "raw"})
        way = "left to MPI" if own["algorithm"] == "plain" else own["algorithm"].capitalize()
        assert figures[0] == f"{number(own, 'ms'):.2f}, {way}"
        assert figures[1:] == [f"{number(row, 'ms'):.2f}" for row in (*of, plain)]


def ahead(**case: str) -> dict[tuple[str, ...], float]:
    """How many times as long Tightwire takes as C-Coll's way, by place."""
    names = ("op", "field", "link_gbps", "threads", "nodes")
    case |= {"topology": "fat_tree", "selector": "mpich", "algorithm_asked": "auto"}
    times = {
        method: {
            tuple(row[name] for name in names): number(row, "ms")
            for row in measured("scale.csv", method=method, **case)
        }
        for method in ("tightwire", "ccoll")
    }
    return {place: times["tightwire"][place] / ms for place, ms in times["ccoll"].items()}


def test_where_ccolls_way_is_ahead():
    figures = said("is more than 2 % ahead in # of the # points, # of them Bcasts, by up to # "
                   "times (quiet wavefield, 16 threads); Bcasts of 64 MiB of the quiet "
                   "wavefield with 16 threads, too, by # to # times among", PAGE)  # fmt: skip
    of_two = ahead(nodes="2", rel_bound="0.001", bytes=str(32 * MEBI))
    behind = {place: ratio for place, ratio in of_two.items() if ratio > 1.02}
    most = max(behind, key=behind.__getitem__)
    assert (most[:2], most[3]) == (("bcast", "quiet_wavefield"), "16")
    bcasts = sum(place[0] == "bcast" for place in behind)
    large = ahead(op="bcast", field="quiet_wavefield", threads="16", link_gbps="100",
                  rel_bound="0.0001", bytes=str(64 * MEBI))  # fmt: skip
    assert {place[-1] for place in large} == {"8", "32", "128"}
    assert list(figures) == [
        *(str(len(behind)), str(len(of_two)), str(bcasts)),
        *(f"{ratio:.2f}" for ratio in (behind[most], min(large.values()), max(large.values()))),
    ]


def test_nodes_of_many_ranks():
    (rows,) = tables(PAGE, "nodes of so many ranks, link", "allreduce")
    assert len(rows) == 4
    for place, *figures in rows:
        nodes, _, ranks, *more = place.replace(",", "").removesuffix(" Gbit/s").split()
        case = {"nodes": nodes, "ranks_per_node": ranks, "link_gbps": more[-1]}
        case |= {"topology": more[0] if len(more) > 1 else "fat_tree", "bytes": str(MEBI)}
        case |= {"method": "tightwire", "rel_bound": "0.0001", "algorithm_asked": "auto"}
        case |= {"lanes": "on"}
        for operation, figure in zip(("allreduce", "bcast"), figures, strict=True):
            if figure == "-":
                continue
            of = [
                the("scale.csv", op=operation, field=field, selector="mpich", **case)
                for field in ("quiet_wavefield", "turbulence")
            ]
            assert all(row["ranks_identical"] == "1" for row in of)
            allowed = int(nodes) * int(ranks) if operation == "allreduce" else 1
            assert all(number(row, "max_error_over_bound") <= allowed for row in of)
            expected = [
                "left" if row["algorithm"] == "plain" else f"{number(row, 'speedup'):.2f}"
                for row in of
            ]
            assert figure == ", ".join(expected), (place, operation)


def test_no_row_breaks_its_bound_or_has_ranks_that_differ():
    rows = measured("scale.csv", method="tightwire")
    checked = [row for row in rows if row["max_error_over_bound"]]
    assert len(checked) >= 300
    for row in checked:
        adds = row["op"] in ("allreduce", "reduce_scatter")
        of_each = adds and row["bound_applies_to"] == "contribution"
        allowed = int(row["nodes"]) * int(row["ranks_per_node"]) if of_each else 1
        assert number(row, "max_error_over_bound") <= allowed, row
    assert {row["ranks_identical"] for row in rows} <= {"1", ""}


def test_plain_reduce_scatter_beside_allreduce():
    figures = said("that takes # ms of 8 nodes of 16, where its Allreduce of the same vector takes "
                   "#: beside that, Tightwire's of the quiet wavefield is # times as fast",
                   PAGE)  # fmt: skip
    case = {"nodes": "8", "ranks_per_node": "16", "field": "quiet_wavefield", "lanes": "on"}
    plain = {
        op: number(the("scale.csv", op=op, method="raw", **case), "ms")
        for op in ("reduce_scatter", "allreduce")
    }
    ours = number(the("scale.csv", op="reduce_scatter", method="tightwire", **case), "ms")
    assert figures == (
        f"{plain['reduce_scatter']:.1f}",
        f"{plain['allreduce']:.2f}",
        f"{plain['allreduce'] / ours:.1f}",
    )


def gains_off(rows: list[Row]) -> list[tuple[float, float, float]]:
    """How many times too good, of what is simulated and in the lab: times as fast as plain."""
    gains = []
    for row in rows:
        if row["method"] != "tightwire":
            continue
        place = {name: row[name] for name in ("hosts", "link_gbps", "op", "bytes")}
        plain = next(r for r in rows if r["method"] == "raw" and place.items() <= r.items())
        simulated, lab = (number(plain, f"{of}_ms") / number(row, f"{of}_ms")
                          for of in ("simulated", "lab"))  # fmt: skip
        gains.append((simulated / lab, simulated, lab))
    return gains


def test_how_far_off_gains_are():
    figures = said(
        "the median error is # %, and above 20 % in # of # cases (the worst: an "
        "Allgather of 1 MiB among eight hosts, # simulated, # in the lab)",
        PAGE,
    )
    own = {"ranks_per_host": "1", "algorithm_asked": "auto", "field": "turbulence"}
    rows = measured("scale_validation.csv", **own)
    gains = gains_off([row for row in rows if row["op"] not in ("alltoall", "gather")])
    errors = [abs(off - 1) for off, _, _ in gains]
    _, simulated, lab = max(gains)
    assert figures == (
        f"{100 * median(errors):.0f}",
        str(sum(error > 0.2 for error in errors)),
        str(len(errors)),
        f"{simulated:.2f}",
        f"{lab:.2f}",
    )


def test_no_row_of_tightwires_own_choice_is_slower_than_plain():
    rows = measured("scale.csv", method="tightwire", algorithm_asked="auto")
    assert rows
    slow = [row for row in rows if row["speedup"] and number(row, "speedup") < 0.98]
    assert slow == []


def test_halos():
    (rows,) = tables(PAGE, "link", "face", "8 ranks")
    assert len(rows) == 4
    for link, face, *figures in rows:
        count, unit = face.split()
        case = {"op": "halo", "link_gbps": link.removesuffix(" Gbit/s"), "field": "turbulence"}
        case |= {"bytes": str(int(count) * {"KiB": 1 << 10, "MiB": 1 << 20}[unit])}
        for nodes, figure in zip(("8", "27", "64"), figures, strict=True):
            plain, own = (
                the("scale.csv", nodes=nodes, method=method, **case)
                for method in ("raw", "tightwire")
            )
            assert figure == f"{number(own, 'speedup'):.2f} ({number(plain, 'ms'):.3g} ms)"
            assert number(own, "max_error_over_bound") <= 1


def test_gathers():
    said_of = said("**Gather**, 1 MiB in all, quiet wavefield and turbulence, in brackets C-Coll's "
                   "way: among 8 nodes at 10 Gbit/s # and # times plain's speed (#, #), among 32 "
                   "# and # (#, #)", PAGE)  # fmt: skip
    expected = []
    for nodes in ("8", "32"):
        for method in ("tightwire", "ccoll"):
            for field in ("quiet_wavefield", "turbulence"):
                case = {"op": "gather", "link_gbps": "10", "nodes": nodes, "method": method}
                case["bytes"] = str(MEBI)
                expected.append(f"{number(the('scale.csv', field=field, **case), 'speedup'):.1f}")
    assert list(said_of) == expected


def test_errors_at_hundreds_of_ranks():
    (rows,) = tables("docs/user/accuracy.md", "field", "ranks", "contribution: largest")
    assert len(rows) == 8
    values = MEBI // 4
    for field, ranks, *figures in rows:
        case = {"nodes": ranks, "field": field.replace(" ", "_"), "bytes": str(MEBI)}
        case |= {"op": "allreduce", "method": "tightwire", "link_gbps": "10"}
        expected = []
        for applies, most, digits in (("contribution", int(ranks), 2), ("result", 1, 3)):
            of = the("scale.csv", bound_applies_to=applies, algorithm_asked="rabenseifner", **case)
            largest, mean = (number(of, f"{name}_error_over_bound") for name in ("max", "rms"))
            assert largest <= most
            bits = 8 * number(of, "sent_bytes") / int(ranks) / values
            expected += [f"{largest:.{digits}f}", f"{mean:.{digits}f}", f"{bits:.1f}"]
            alike = [
                row
                for row in measured("scale.csv", bound_applies_to=applies, **case)
                if row["algorithm_asked"] != "auto" and row["rms_error_over_bound"]
            ]
            assert {row["max_error_over_bound"] for row in alike} == {of["max_error_over_bound"]}
            assert {row["ranks_identical"] for row in alike} == {"1"}
        assert figures == expected, (field, ranks)


def test_the_mean_square_of_errors_at_hundreds_of_ranks():
    least, most = said("Of turbulence the root mean square is # to # of E (N / 3)^1/2",
                       "docs/user/accuracy.md")  # fmt: skip
    of = [row for row in measured("scale.csv", op="allreduce", field="turbulence", link_gbps="10",
                                  bound_applies_to="contribution", algorithm_asked="rabenseifner",
                                  method="tightwire", bytes=str(MEBI))
          if row["rms_error_over_bound"]]  # fmt: skip
    shares = [number(row, "rms_error_over_bound") / (int(row["nodes"]) / 3) ** 0.5 for row in of]
    assert [least, most] == [f"{of(shares):.2f}" for of in (min, max)]


def speeds(digits: int, **case: str) -> str:
    """Of turbulence and the quiet wavefield."""
    case = {"selector": "mpich", "algorithm_asked": "auto"} | case
    of = [the("scale.csv", field=field, **case) for field in ("turbulence", "quiet_wavefield")]
    return ", ".join(f"{number(row, 'speedup'):.{digits}f}" for row in of)


def test_networks():
    (rows,) = tables(PAGE, "network", "allreduce")
    assert len(rows) == 8
    operations = ("allreduce", "reduce_scatter", "bcast", "allgather", "scatter")
    for place, *figures in rows:
        topology, link = place.removesuffix(" Gbit/s").split(", ")
        case = {"topology": topology.replace(" ", "_"), "link_gbps": link, "nodes": "32"}
        case |= {"threads": "1", "ranks_per_node": "1", "bytes": str(MEBI)}
        case |= {"rel_bound": "0.0001", "bound_applies_to": "contribution"}
        for operation, figure in zip(operations, figures, strict=True):
            ours, ccoll = (
                speeds(1, op=operation, method=method, **case) for method in ("tightwire", "ccoll")
            )
            assert figure == f"{ours} ({ccoll})", (place, operation)


SIXTEEN_THREADS = {"link_gbps": "100", "threads": "16", "topology": "fat_tree"}


def test_half_a_gibibyte():
    figures = said("an Allreduce among two # and # times as fast as plain, among eight # and #, a "
                   "Reduce_scatter # and #, a Bcast # and #, a Scatter # and # (C-Coll's way # and "
                   "#, # and #, # and #, # and #)", PAGE)  # fmt: skip
    case = SIXTEEN_THREADS | {"bytes": str(512 * MEBI)}
    expected = [speeds(1, op="allreduce", nodes="2", method="tightwire", **case)]
    for method in ("tightwire", "ccoll"):
        for operation in ("allreduce", "reduce_scatter", "bcast", "scatter"):
            expected.append(speeds(1, op=operation, nodes="8", method=method, **case))
    assert ", ".join(figures) == ", ".join(expected)


def test_alltoalls():
    figures = said("among 8 nodes at 10 Gbit/s # and # times plain's speed (#, #), among 32 # and "
                   "# (#, #); at 100 Gbit/s it is left to MPI (C-Coll's way # to #). With 16 "
                   "threads, 100 Gbit/s: # and # among 8 (#, #), # and # among 32 (#, #)",
                   PAGE)  # fmt: skip
    case = {"op": "alltoall", "bytes": str(16 * MEBI)}
    of_one = case | {"threads": "1"}
    expected = []
    for nodes in ("8", "32"):
        for method in ("tightwire", "ccoll"):
            expected.append(speeds(2, nodes=nodes, method=method, link_gbps="10", **of_one))
    fast_rows = measured("scale.csv", method="ccoll", link_gbps="100", **of_one)
    fast = [number(row, "speedup") for row in fast_rows]
    assert len(fast) == 4
    expected += [f"{least_or_most(fast):.2f}" for least_or_most in (min, max)]
    for nodes in ("8", "32"):
        for method in ("tightwire", "ccoll"):
            expected.append(speeds(2, nodes=nodes, method=method, **SIXTEEN_THREADS, **case))
    assert ", ".join(figures) == ", ".join(expected)


def test_512_ranks():
    ms, plain, times = said("a 3-D halo of six faces of 64 KiB takes # ms, plain MPI # (# times",
                            PAGE)  # fmt: skip
    case = {"nodes": "512", "op": "halo"}
    own = the("scale.csv", method="tightwire", **case)
    raw = the("scale.csv", method="raw", **case)
    figures = [f"{number(row, 'ms'):.3f}" for row in (own, raw)]
    assert [ms, plain, times] == [*figures, f"{number(own, 'speedup'):.2f}"]
    assert number(own, "max_error_over_bound") <= 1
    figures = said("an Allreduce of the quiet wavefield takes # ms, plain MPI # (# times as fast; "
                   "among 128 ranks # ms, by later code)", PAGE)  # fmt: skip
    case = SIXTEEN_THREADS | {"op": "allreduce", "bytes": str(64 * MEBI)}
    case |= {"field": "quiet_wavefield"}
    own = the("scale.csv", nodes="512", method="tightwire", **case)
    raw = the("scale.csv", nodes="512", method="raw", **case)
    fewer = the("scale.csv", nodes="128", method="tightwire", **case)
    expected = [f"{number(own, 'ms'):.2f}", f"{number(raw, 'ms'):.1f}"]
    expected += [f"{number(own, 'speedup'):.1f}", f"{number(fewer, 'ms'):.2f}"]
    assert list(figures) == expected


def test_the_papers_case_with_one_thread():
    figures = said("With one thread: Bcast # and # times plain's speed (C-Coll's way # and #), "
                   "Scatter # and # (# and #)", PAGE)  # fmt: skip
    case = {"nodes": "128", "bytes": str(64 * MEBI), "link_gbps": "100", "threads": "1"}
    expected = [
        speeds(2, op=operation, method=method, **case)
        for operation in ("bcast", "scatter")
        for method in ("tightwire", "ccoll")
    ]
    assert ", ".join(figures) == ", ".join(expected)


def test_lanes_of_many_ranks():
    (rows,) = tables(PAGE, "nodes of so many ranks, operation", "lanes")
    assert len(rows) >= 3
    for place, *figures in rows:
        nodes, _, ranks, operation = place.replace(",", "").split()
        case = {"nodes": nodes, "ranks_per_node": ranks, "op": operation, "link_gbps": "10"}
        case |= {"bytes": str(MEBI), "method": "tightwire"}
        assert figures == [speeds(2, lanes=lanes, **case) for lanes in ("on", "off")], place


def test_other_operations_of_512_ranks():
    figures = said("A Bcast of 1 MiB among the 512 is # (turbulence) and # times (quiet wavefield, "
                   "which is overstated, above) as fast as plain's # ms", PAGE)  # fmt: skip
    case = {"nodes": "512", "bytes": str(MEBI), "topology": "fat_tree"}
    fields = ("turbulence", "quiet_wavefield")
    ours = [the("scale.csv", op="bcast", method="tightwire", field=f, **case) for f in fields]
    plain = the("scale.csv", op="bcast", method="raw", field="turbulence", **case)
    expected = [f"{number(row, 'speedup'):.2f}" for row in ours]
    assert list(figures) == [*expected, f"{number(plain, 'ms'):.2f}"]
    for row in ours:
        assert row["ranks_identical"] == "1" and number(row, "max_error_over_bound") <= 1
    left = measured("scale.csv", op="reduce_scatter", method="tightwire", **case)
    assert [row["algorithm"] for row in left] == ["plain", "plain"]


def test_lanes_with_threads():
    (rows,) = tables(PAGE, "operation, Gbit/s", "turbulence: 1 thread")
    assert len(rows) == 4
    for place, *figures in rows:
        operation, link = place.split(", ")
        case = {"nodes": "4", "ranks_per_node": "4", "op": operation, "link_gbps": link}
        case |= {"bytes": str(16 * MEBI), "method": "tightwire", "selector": "mpich"}
        expected = [
            f"{number(the('scale.csv', field=field, threads=threads, **case), 'speedup'):.2f}"
            for field in ("turbulence", "quiet_wavefield")
            for threads in ("1", "8")
        ]
        assert figures == expected, place


def test_a_scatter_of_two_mebibytes_a_rank():
    figures = said("256 MiB, 2 MiB a rank, go # times as fast as plain MPI's (quiet wavefield) and "
                   "# (turbulence; C-Coll's way # and #)", PAGE)  # fmt: skip
    case = SIXTEEN_THREADS | {"op": "scatter", "nodes": "128", "bytes": str(256 * MEBI)}
    expected = [
        f"{number(the('scale.csv', field=field, method=method, **case), 'speedup'):.2f}"
        for method in ("tightwire", "ccoll")
        for field in ("quiet_wavefield", "turbulence")
    ]
    assert list(figures) == expected


def test_weak_scaling():
    (rows,) = tables(PAGE, "1 MiB a rank", "10 Gbit/s, 2")
    assert len(rows) == 6
    for label, *figures in rows:
        operation, field = label.split(", ")
        expected = []
        for link in ("10", "100"):
            for nodes in (2, 8, 32, 128):
                case = {"op": operation.lower(), "field": field.replace(" ", "_"), "threads": "1"}
                case |= {"topology": "fat_tree", "ranks_per_node": "1", "selector": "mpich"}
                case |= {"nodes": str(nodes), "link_gbps": link, "bytes": str(nodes * MEBI)}
                case |= {"rel_bound": "0.0001", "algorithm_asked": "auto"}
                ours, ccoll = (
                    the("scale.csv", method=method, **case) for method in ("tightwire", "ccoll")
                )
                assert number(ours, "speedup") >= 0.98
                expected.append(f"{number(ours, 'speedup'):.2f} ({number(ccoll, 'speedup'):.2f})")
        assert figures == expected, label


def test_moves_of_512_ranks():
    figures = said(
        "a Scatter is # times as fast as plain MPI's of the quiet wavefield and # of turbulence "
        "(C-Coll's way # and #), a Gather # and # (# and #)",
        PAGE,
    )
    case = {"nodes": "512", "link_gbps": "10", "bytes": str(16 * MEBI), "threads": "1"}
    expected = [
        f"{number(the('scale.csv', op=op, method=method, field=field, **case), 'speedup'):.2f}"
        for op in ("scatter", "gather")
        for method in ("tightwire", "ccoll")
        for field in ("quiet_wavefield", "turbulence")
    ]
    assert list(figures) == expected
