"""The Spack recipe agrees with the build that it describes. Spack itself is not needed for that."""

import re
import sys
import types
from pathlib import Path
from types import SimpleNamespace

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
RECIPE = REPOSITORY / "packaging/spack_repo/tightwire/packages/tightwire/package.py"


class PackageStub:
    stage = SimpleNamespace(source_path="/src")

    @staticmethod
    def define(name: str, value: object) -> str:
        return f"-D{name}={value}"


@pytest.fixture
def recipe(monkeypatch) -> SimpleNamespace:
    """The recipe read with a stand-in for Spack's language: the package, and its resources."""
    resources = []
    language = {
        "version": lambda *_: None,
        "license": lambda *_: None,
        "depends_on": lambda *_, **__: None,
        "resource": lambda **facts: resources.append(facts),
        "run_before": lambda _phase: lambda function: function,
        "join_path": lambda *parts: "/".join(parts),
        "install_tree": lambda *_: None,
    }
    system = "spack_repo.builtin.build_systems.cmake"
    modules = {"spack": {}, "spack.package": language, system: {"CMakePackage": PackageStub}}
    for parent in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[parent] = {}
    for name, content in modules.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    names: dict = {}
    exec(compile(RECIPE.read_text(), RECIPE, "exec"), names)
    return SimpleNamespace(package=names["Tightwire"], resources=resources)


def test_it_takes_the_same_third_party_sources(recipe):
    script = (REPOSITORY / "cmake" / "fetch_third_party.sh").read_text()
    version = re.search(r"^version=(\S+)", script, re.MULTILINE)[1]
    (resource,) = recipe.resources
    assert resource["sha256"] == re.search(r"^sha256=(\S+)", script, re.MULTILINE)[1]
    assert resource["url"].endswith(f"/hdf5plugin-{version}.tar.gz")


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_it_sets_what_the_build_knows(recipe, mpi):
    class Spec(dict):
        def satisfies(self, constraint: str) -> bool:
            return constraint.split()[-1] == mpi

    package = recipe.package()
    package.spec = Spec(mpi=SimpleNamespace(mpicc="/mpi/bin/mpicc"))
    arguments = package.cmake_args()
    assert f"-DMPICC_{mpi}=/mpi/bin/mpicc" in arguments
    sources = [REPOSITORY / "CMakeLists.txt", *(REPOSITORY / "cmake").glob("*.cmake")]
    build = "".join(source.read_text() for source in sources)
    for argument in arguments:
        name = re.match(r"-D(\w+)=", argument)[1]
        assert re.search(rf"\b{name.replace(mpi, '.*')}\b", build), name
