import pytest
from page import BEGIN, END, PAGE, Row, read, row, with_rows
from suite import Records

EMPTY = f"# Title\n\n{BEGIN}\n{END}\n\nThe rest.\n"
KEY = ("mpi4py 4", "mpich", 3, "off")
ROW = Row(*KEY, 10, 8, 8, "0.1.0 (1a2b3c4)")
PLAIN = Records(None, {"a": "passed", "b": "passed", "c": "skipped"})


def test_rows_are_replaced_by_their_key():
    other = Row("mpi4py 4", "mpich", 2, "off", 10, 9, 9, "0.1.0")
    page = with_rows(with_rows(EMPTY, [ROW, other]), [Row(*KEY, 11, 9, 9, "0.2.0")])
    assert [(row.ranks, row.tests) for row in read(page)] == [(2, 10), (3, 11)]
    assert page.startswith("# Title\n") and page.endswith("\nThe rest.\n")


@pytest.mark.parametrize("of_b", ["failed", "started", "skipped", None])
def test_a_lost_test_takes_the_place_of_a_good_row(of_b):
    under = Records(None, {"a": "passed", **({"b": of_b} if of_b else {}), "c": "passed"})
    page = with_rows(with_rows(EMPTY, [ROW]), [row(KEY, PLAIN, under, True, "0.2.0")])
    assert read(page) == [Row(*KEY, 3, 2, 1, "0.2.0")]


def test_nothing_passes_where_nothing_was_compressed():
    assert row(KEY, PLAIN, PLAIN, False, "0.2.0").under == 0


def test_no_line_of_the_page_has_less_under_tightwire():
    rows = read(PAGE.read_text())
    assert rows
    assert [row for row in rows if row.under < row.plain] == []
