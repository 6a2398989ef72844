"""For Spack 1.0 and later, in the source folder:

spack repo add packaging/spack_repo/tightwire
spack dev-build tightwire@develop ^openmpi
"""

# ruff: noqa: F403, F405 - the language of recipes comes by this import
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage

HDF5PLUGIN = "7.1.0"


class Tightwire(CMakePackage):
    """Runs unmodified MPI programs with their large messages compressed: exactly, or within an
    error bound that the user states."""

    # No release is published yet: `spack dev-build` and `spack develop` take the source folder.
    version("develop")

    license("BSD-3-Clause")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.11:", type="build")
    depends_on("mpi")
    # Built in, so static and position independent: a program may bring another zstd of its own.
    depends_on("zstd libs=shared,static", type="build")
    depends_on("lz4+pic libs=shared,static", type="build")
    depends_on("xxhash", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")

    # The sources of SZ3 and zfp, as cmake/fetch_third_party.sh takes them.
    resource(
        name="hdf5plugin",
        url="https://files.pythonhosted.org/packages/source/h/hdf5plugin/"
        f"hdf5plugin-{HDF5PLUGIN}.tar.gz",
        sha256="dc4aa9576bf5770d773be9309a060ccf2f0ce2f0031f2b369f566d2662ec2fb3",
        placement="hdf5plugin",
    )

    def third_party(self):
        return join_path(self.stage.source_path, "third_party")

    @run_before("cmake")
    def arrange_third_party(self):
        bundled = join_path(self.stage.source_path, "hdf5plugin", "lib")
        ready = join_path(self.third_party(), f"hdf5plugin-{HDF5PLUGIN}")
        install_tree(join_path(bundled, "SZ3"), join_path(ready, "SZ3"))
        install_tree(join_path(bundled, "c-blosc2-zfp"), join_path(ready, "zfp"))

    def cmake_args(self):
        family = "openmpi" if self.spec.satisfies("^[virtuals=mpi] openmpi") else "mpich"
        return [
            self.define("TIGHTWIRE_TESTS", False),
            self.define("TIGHTWIRE_BENCH", False),
            self.define("TIGHTWIRE_THIRD_PARTY", self.third_party()),
            self.define(f"MPICC_{family}", self.spec["mpi"].mpicc),
        ]
