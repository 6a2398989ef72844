#!/usr/bin/env python3
"""soak recipes: those of conda-forge and EasyBuild, read by their own tools

rattler-build renders the one for each MPI; EasyBuild finds every dependency of the other among its
own recipes and says what it would do. Nothing is built, as that takes their compilers and
libraries. The tools come from PyPI into an environment that goes again.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONDA = ROOT / "packaging" / "conda"
EASYBUILD = next((ROOT / "packaging" / "easybuild").glob("*.eb"))
TOOLS = [
    "py-rattler-build==0.73.0",
    *(f"easybuild-{part}==5.4.1" for part in ("framework", "easyblocks", "easyconfigs")),
    "pycodestyle==2.14.0",
]
RENDER = """
import sys
import rattler_build as tool
folder = sys.argv[1]
variants = tool.VariantConfig.from_file(folder + "/variants.yaml")
for made in tool.Stage0Recipe.from_file(folder + "/recipe.yaml").render(variants):
    needs = made.recipe.to_dict()["requirements"]
    mpi = made.variant["mpi"]
    assert mpi in needs["host"] and needs["run"] == [mpi], needs
    print("conda:", mpi, "with", len(needs["build"]) + len(needs["host"]), "packages")
"""
MODULECMD = [
    Path("/usr/lib/x86_64-linux-gnu/modulecmd.tcl"),
    Path("/usr/share/modules/libexec/modulecmd.tcl"),
]


def run(*words: str | Path, may_fail: bool = False, **variables: str) -> str:
    done = subprocess.run(
        words,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    if done.returncode and not may_fail:
        sys.exit(f"soak recipes: {words[0]} failed\n{done.stdout}")
    return done.stdout


def easybuild(venv: Path, *words: str | Path, may_fail: bool = False) -> str:
    modules = venv / "modules" / "libexec"
    if not modules.exists():
        modules.mkdir(parents=True)
        tool = next((file for file in MODULECMD if file.exists()), None)
        if tool is None:
            sys.exit("soak recipes: EasyBuild needs Environment Modules (environment-modules)")
        (modules / "modulecmd.tcl").symlink_to(tool)
    script = 'source /etc/profile.d/modules.sh; export MODULESHOME="$0"; exec eb "$@"'
    own = ["--allow-use-as-root-and-accept-consequences", f"--prefix={venv / 'easybuild'}"]
    own.append(f"--robot-paths={venv / 'easybuild' / 'easyconfigs'}")
    return run(
        *("bash", "-c", script, modules.parent, *own, *words, EASYBUILD),
        may_fail=may_fail,
        PATH=f"{venv / 'bin'}:{os.environ['PATH']}",
        EASYBUILD_MODULES_TOOL="EnvironmentModules",
        EASYBUILD_MODULE_SYNTAX="Tcl",
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        venv = Path(name) / "venv"
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin" / "pip", "install", "--quiet", *TOOLS)
        print(run(venv / "bin" / "python", "-c", RENDER, CONDA), end="")
        if "All style checks PASSed" not in easybuild(venv, "--check-style"):
            sys.exit("soak recipes: EasyBuild does not like the style")
        needs = [
            line for line in easybuild(venv, "--dry-run", "--robot").splitlines() if " * [" in line
        ]
        print(f"easybuild: {len(needs)} modules in all, each has a recipe")
        # It ends with an error about a log file that its own simulation has removed.
        said = easybuild(venv, "--extended-dry-run", may_fail=True)
        if "[SUCCESS] tightwire" not in said or '"ninja -v' not in said:
            sys.exit(f"soak recipes: EasyBuild would not build it\n{said}")
        print("easybuild: goes through all steps of a build, simulated")


if __name__ == "__main__":
    main()
