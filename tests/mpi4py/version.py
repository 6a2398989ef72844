"""Which Tightwire a row of the page was made with: "0.1.0 (1a2b3c4)"."""

import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def said_by(*words: str | Path) -> str:
    answer = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, timeout=20)
    return answer.stdout.strip() if answer.returncode == 0 else ""


def of(launcher: Path) -> str:
    """As the launcher says, with the last commit that changed src/, and a + where src/ is not
    as committed."""
    version = said_by(launcher, "--version").removeprefix("tightwire ")
    commit = said_by("git", "log", "-1", "--abbrev=7", "--format=%h", "--", "src")
    changed = "+" if said_by("git", "status", "--porcelain", "--", "src") else ""
    return f"{version} ({commit}{changed})" if commit else version
