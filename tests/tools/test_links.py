"""The pages' links lead somewhere: files that are there, headings that are there."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
NAMED = re.compile(r"(?<![\w/.-])(docs/[\w./-]+\.md)")


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", *patterns], capture_output=True, text=True
    )
    if listed.returncode != 0:
        return []
    return [path for path in listed.stdout.split() if (ROOT / path).is_file()]


def anchors(page):
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in headings}


@pytest.mark.parametrize("page", tracked("*.md"))
def test_links_lead_somewhere(page):
    broken = []
    for link in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("folder", ["src", "include", "tests", "tools", "bench", "cmake", "lab"])
def test_pages_that_sources_name_are_there(folder):
    missing = []
    for file in tracked(folder):
        try:
            text = (ROOT / file).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        missing += [(file, page) for page in NAMED.findall(text) if not (ROOT / page).exists()]
    assert missing == []


def test_the_index_names_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [page.removeprefix("docs/") for page in tracked("docs/**/*.md")]
    assert len(pages) > 20
    assert [page for page in pages if f"({page})" not in index] == []
