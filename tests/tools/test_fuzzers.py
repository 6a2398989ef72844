"""Every fuzzer has a corpus, by which ./run fuzz finds it, and a line in CONTRIBUTING.md."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def built() -> set[str]:
    text = (ROOT / "tests" / "fuzz" / "CMakeLists.txt").read_text()
    return set(re.search(r"set\(fuzzers ([^)]+)\)", text)[1].split())


def test_every_fuzzer_begins_with_something():
    corpora = [path for path in (ROOT / "tests" / "fuzz" / "corpus").iterdir()]
    assert built() == {folder.name for folder in corpora}
    assert all(any(folder.iterdir()) for folder in corpora)


def test_every_fuzzer_is_described():
    page = (ROOT / "CONTRIBUTING.md").read_text()
    section = page.split("## Fuzzing")[1].split("\n## ")[0]
    assert built() == set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
