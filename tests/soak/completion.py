#!/usr/bin/env python3
"""soak completion: what zsh and fish themselves offer behind tightwire

./run test looks at the scripts that tightwire completion makes, and asks bash. These two are asked
here, where they are installed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
MODES = {"raw", "exact", "bounded", "adaptive", "adaptive+pipelined"}
# What stands there, what must be offered, what must not be.
CASES = [
    ("tightwire --mo", {"--mode"}, set()),
    ("tightwire --mode ", MODES, {"audit"}),
    ("tightwire --verbose --mode e", {"exact"}, {"raw"}),
    ("tightwire aud", {"audit"}, {"advise"}),
    ("tightwire --error-bound 1e-4 aud", {"audit"}, {"advise"}),
    ("tightwire --mode raw fin", {"find"}, set()),
    ("tightwire ./ap", {"./app"}, set()),
    ("tightwire ./app --mo", set(), {"--mode"}),
    ("tightwire ./app fi", {"file.txt"}, {"find"}),
    ("tightwire --report fi", {"file.txt"}, {"find"}),
    ("tightwire completion ", {"bash", "zsh", "fish"}, {"audit"}),
]

# zsh completes on a terminal only. What it would show goes to a file instead.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "source $PWD/ask.zsh"
zpty -w -n shell "$1"$'\C-g'
repeat 200; do
  [[ -e offered.done ]] && break
  sleep 0.1
done
zpty -d shell
"""
# compadd is what all completion functions call in the end: -O says which words match.
ASK = r"""
compadd() {
  local -a matching
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  builtin compadd -O matching "$@"
  print -rl -- $matching >>offered
  builtin compadd "$@"
}
finish() { zle list-choices; touch offered.done }
zle -N finish
bindkey '^G' finish
"""


def offered_by_fish(line: str, folder: Path) -> set[str]:
    text = f"source tightwire.fish; complete -C '{line}'"
    words = ["fish", "--no-config", "-c", text]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode or done.stderr:
        sys.exit(f"soak completion: fish: {line}: {done.stderr}")
    return {row.partition("\t")[0] for row in done.stdout.splitlines()}


def offered_by_zsh(line: str, folder: Path) -> set[str]:
    for name in ("offered", "offered.done"):
        (folder / name).unlink(missing_ok=True)
    words = ["zsh", "-f", "-c", ZSH, "zsh", line]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    if not (folder / "offered.done").exists():
        sys.exit(f"soak completion: zsh: {line}: {done.stdout}{done.stderr}")
    offered = folder / "offered"
    return set(offered.read_text().splitlines()) if offered.exists() else set()


def prepare(folder: Path) -> None:
    (folder / "functions").mkdir()
    for shell, file in (("fish", "tightwire.fish"), ("zsh", "functions/_tightwire")):
        made = subprocess.run(
            [BUILD / "bin" / "tightwire", "completion", shell], check=True, stdout=subprocess.PIPE
        )
        (folder / file).write_bytes(made.stdout)
    (folder / "ask.zsh").write_text(ASK)
    (folder / "app").write_text("#!/bin/sh\n")
    (folder / "app").chmod(0o755)
    (folder / "file.txt").touch()


def check(shell: str, folder: Path) -> int:
    ask = {"fish": offered_by_fish, "zsh": offered_by_zsh}[shell]
    wrong = 0
    for line, wanted, unwanted in CASES:
        offered = {re.sub(r"^\./(?=app$)", "", word) for word in ask(line, folder)}
        wanted = {word.removeprefix("./") for word in wanted}
        if wanted - offered or unwanted & offered:
            wrong += 1
            print(f"{shell}: {line!r}: lacks {wanted - offered}, has {unwanted & offered}")
    print(f"{shell}: {len(CASES) - wrong} of {len(CASES)} lines right")
    return wrong


def main() -> None:
    shells = [shell for shell in ("fish", "zsh") if shutil.which(shell)]
    if len(shells) < 2:
        sys.exit("soak completion: install zsh and fish, and say it again")
    os.environ["PATH"] = f"{BUILD / 'bin'}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        sys.exit(1 if sum(check(shell, Path(name)) for shell in shells) else 0)


if __name__ == "__main__":
    main()
