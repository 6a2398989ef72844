"""The recipes of conda-forge and EasyBuild agree with the build that they describe.

Their own tools read them in ./run soak recipes.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONDA = ROOT / "packaging" / "conda" / "recipe.yaml"
(EASYBUILD,) = (ROOT / "packaging" / "easybuild").glob("*.eb")
RECIPES = [CONDA, EASYBUILD]
FETCH = (ROOT / "cmake" / "fetch_third_party.sh").read_text()


def fetched(name: str) -> str:
    return re.search(rf"^{name}=(\S+)", FETCH, re.MULTILINE)[1]


@pytest.mark.parametrize("recipe", RECIPES, ids=["conda", "easybuild"])
def test_it_takes_the_same_third_party_sources(recipe):
    text = recipe.read_text()
    assert fetched("sha256") in text
    named = re.search(r"^ *(?:local_)?hdf5plugin *[:=] *[\"']([\d.]+)", text, re.MULTILINE)
    assert named[1] == fetched("version")


@pytest.mark.parametrize("recipe", RECIPES, ids=["conda", "easybuild"])
def test_it_sets_what_the_build_knows(recipe):
    sources = [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")]
    build = "".join(source.read_text() for source in sources)
    options = set(re.findall(r"-D(TIGHTWIRE_\w+|MPICC_)", recipe.read_text()))
    assert len(options) > 3
    assert [option for option in options if option not in build] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=["conda", "easybuild"])
def test_it_is_of_this_version(recipe):
    build = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(tightwire VERSION (\S+)", build)[1]
    assert re.search(rf"^ *version *[:=] *[\"']{version}[\"']", recipe.read_text(), re.MULTILINE)
