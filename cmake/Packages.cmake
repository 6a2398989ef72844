# cpack -G DEB and cpack -G TGZ, run in the build folder.
set(CPACK_PACKAGE_NAME tightwire)
set(CPACK_PACKAGE_VENDOR "the Tightwire authors")
set(CPACK_PACKAGE_CONTACT "the Tightwire authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Runs unmodified MPI programs with their messages compressed")
set(CPACK_PACKAGE_DESCRIPTION "mpirun -n 64 tightwire ./app runs an MPI program with its large messages
compressed: exactly, or within an error bound that the user states. It needs
neither recompiling nor relinking.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME
  "tightwire-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")

# Each preload library is used with its own MPI only, so dpkg-shlibdeps, which would ask for all of
# them, cannot be asked. The C and C++ libraries must be as new as those of the build.
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(REGEX MATCH "[0-9]+\\.[0-9]+" libc "${libc}")
set(libstdcxx "")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(REGEX MATCH "^[0-9]+" libstdcxx "${CMAKE_CXX_COMPILER_VERSION}")
  set(libstdcxx " (>= ${libstdcxx})")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${libc}), libgcc-s1, libstdc++6${libstdcxx}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin | mpich")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-matplotlib, environment-modules")
include(CPack)
