from page import BEGIN, END, PAGE, Row, read, with_rows

EMPTY = f"# Title\n\n{BEGIN}\n{END}\n\nThe rest.\n"
ROW = Row("mpi4py 4", "mpich", 3, "off", 10, 8, 8)


def test_rows_are_replaced_by_their_key():
    other = Row("mpi4py 4", "mpich", 2, "off", 10, 9, 9)
    page = with_rows(with_rows(EMPTY, [ROW, other]), [Row("mpi4py 4", "mpich", 3, "off", 11, 9, 9)])
    assert [(row.ranks, row.tests) for row in read(page)] == [(2, 10), (3, 11)]
    assert page.startswith("# Title\n") and page.endswith("\nThe rest.\n")


def test_no_line_of_the_page_has_less_under_tightwire():
    rows = read(PAGE.read_text())
    assert rows
    assert [row for row in rows if row.under < row.plain] == []
