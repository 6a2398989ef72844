"""Where the pages tell commands: in blocks, and in the text between backticks."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "lab" / "README.md"]
FIRST_WORDS = re.compile(
    r"(\./run|(build/bin/)?tightwire|mpirun|srun|sbatch|pip|cmake|cpack|module|spack|eb|conda|source"
    r"|rattler-build|git|python3?|apptainer|docker|podman|ch-run|ctest|ninja|nm|cd|\.venv/bin/\w+"
    r"|tools/\w+\.sh|[A-Z_]+=\S+) [^=]"
)
IN_TEXT = re.compile(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)")
# These name a command and tell nobody to run it as it stands.
MENTIONED = re.compile(r"\S+|\./run( [a-z_]+){0,2}|tightwire [a-z]+|pip install")
# In the text: a word that stands for others, as in ./run bench NAME.
STANDS_FOR_OTHERS = re.compile(r"(?<![\w./-])\[?[A-Z]{2,}\b(?!=)")


def is_command(text: str) -> bool:
    return FIRST_WORDS.match(text + "  ") is not None


def split_page(page: Path) -> tuple[list[str], str]:
    """The lines of its blocks, and the rest."""
    blocks, rest, fenced = [], [], False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith("```")
        (blocks if fenced or line.startswith("    ") else rest).append(line)
    return blocks, "\n".join(rest)


def in_blocks(lines: list[str]) -> list[str]:
    found = []
    for line in lines:
        text = re.sub(r"  +#.*|(?<=\S) # .*", "", line).strip().removeprefix("$ ")
        if is_command(text):
            found += text.split(" && ")
    return found


def in_text(rest: str) -> list[str]:
    spans = [" ".join(span.split()) for span in IN_TEXT.findall(rest)]
    return [span for span in spans if is_command(span)]


def command_lines() -> list[tuple[str, str]]:
    """(page, command) of all that one is told to run."""
    found = []
    for page in PAGES:
        blocks, rest = split_page(page)
        found += [(page.name, line) for line in in_blocks(blocks)]
        if page.name == "CHANGELOG.md":
            continue  # tells of commands as they were
        for text in in_text(rest):
            if not MENTIONED.fullmatch(text) and not STANDS_FOR_OTHERS.search(text):
                found.append((page.name, text))
    return list(dict.fromkeys(found))


def mentioned() -> set[str]:
    """The commands of tightwire that texts name: the second words."""
    words = set()
    for page in PAGES:
        for text in in_text(split_page(page)[1]):
            if re.fullmatch(r"tightwire [a-z]+", text) or STANDS_FOR_OTHERS.search(text):
                words |= set(re.findall(r"^tightwire ([a-z]+)", text))
    return words
