"""tools/check_sizes.py counts files, lines, and functions from their head to the closing brace."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_sizes  # noqa: E402

CODE = """
#define BODY(x) { x }
namespace a {
struct Point {
  int x{0};
  int sum() const { return x + y; }
  Point(int a)
      : x(a), y{1} {
  }
  int y;
};
// int commented() {
const char* text = "int quoted() {";
const auto lambda = [](int x) { return x; };
std::array<int, 2> pair = {f(1), 2};
extern "C" {
int external(void) {
  if (text) { return 1; }
  return 0;
}
}
template <class T>
auto back(T t) -> decltype(t) {
  return std::for_each(t, [](auto x) {
    x();
  });
}
bool operator==(const Point& a, const Point& b) { return a.x == b.x; }
}  // namespace a
"""


def test_functions_are_found_with_their_lines():
    found = list(check_sizes.functions(check_sizes.code_of(CODE)))
    assert found == [(6, 6), (7, 9), (17, 20), (22, 27), (28, 28)]


def run(folder):
    script = ROOT / "tools" / "check_sizes.py"
    done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def room(tmp_path):
    folder = tmp_path / "src" / "room"
    folder.mkdir(parents=True)
    (folder / "short.cpp").write_text("int f() { return 1; }\n")
    return folder


def test_what_is_small_enough_is_clean(room):
    assert run(room.parents[1]) == (0, ["1 functions, median of 1 lines"])


def test_too_many_files(room):
    for number in range(20):
        (room / f"{number}.h").write_text("")
    code, lines = run(room.parents[1])
    assert (code, lines[1:]) == (1, ["src/room: 21 files, at most 20 may be there"])


def test_too_long_a_file(room):
    (room / "long.h").write_text("\n" * 301)
    code, lines = run(room.parents[1])
    assert (code, lines[1:]) == (1, ["src/room/long.h: 301 lines, at most 300 may be there"])


def test_too_long_a_median(room):
    (room / "short.cpp").write_text("int f() {\n" + "\n" * 7 + "}\n")
    code, lines = run(room.parents[1])
    assert code == 1
    assert "median function has 9 lines" in lines[1]
