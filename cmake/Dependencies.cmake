# Third-party libraries. Static where the preload library needs them, so that it asks nothing of
# the user's machine and cannot clash with a zstd that the program brings.
find_package(Threads REQUIRED)

function(tightwire_static_library target archive header)
  find_library(${target}_ARCHIVE NAMES ${archive} REQUIRED)
  find_path(${target}_INCLUDE NAMES ${header} REQUIRED)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION ${${target}_ARCHIVE}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${${target}_INCLUDE})
endfunction()

tightwire_static_library(zstd_static libzstd.a zstd.h)
tightwire_static_library(lz4_static liblz4.a lz4.h)

find_path(XXHASH_INCLUDE NAMES xxhash.h REQUIRED)
add_library(xxhash_inline INTERFACE)
target_compile_definitions(xxhash_inline INTERFACE XXH_INLINE_ALL)
target_include_directories(xxhash_inline SYSTEM INTERFACE ${XXHASH_INCLUDE})

find_package(nlohmann_json REQUIRED)

if(TIGHTWIRE_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()

if(NOT TIGHTWIRE_SZ3_ZFP)
  add_library(sz3_headers INTERFACE)
  add_library(zfp_static INTERFACE)
  return()
endif()

# SZ3 and zfp come as sources; cmake/fetch_third_party.sh says why and fetches them.
if(DEFINED ENV{TIGHTWIRE_THIRD_PARTY})
  set(third_party $ENV{TIGHTWIRE_THIRD_PARTY})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(third_party $ENV{XDG_CACHE_HOME}/tightwire/third_party)
else()
  set(third_party $ENV{HOME}/.cache/tightwire/third_party)
endif()
set(TIGHTWIRE_THIRD_PARTY ${third_party} CACHE PATH "Where cmake/fetch_third_party.sh left SZ3 and zfp")
set(third_party ${TIGHTWIRE_THIRD_PARTY}/hdf5plugin-7.1.0)
if(NOT EXISTS ${third_party})
  message(FATAL_ERROR "SZ3 and zfp not found in ${third_party}. "
    "Run ${PROJECT_SOURCE_DIR}/cmake/fetch_third_party.sh first; if their sources are elsewhere, "
    "set TIGHTWIRE_THIRD_PARTY.")
endif()

# An installed SZ3 is taken if it has the interface of 3.1; later ones differ.
find_package(SZ3 3.1...<3.2 QUIET)
add_library(sz3_headers INTERFACE)
if(SZ3_FOUND)
  get_target_property(sz3_include SZ3::SZ3 INTERFACE_INCLUDE_DIRECTORIES)
else()
  file(WRITE ${CMAKE_BINARY_DIR}/third_party/SZ3/version.hpp "#pragma once\n#define SZ3_VER \"3.1.7\"\n")
  set(sz3_include ${third_party}/SZ3/include ${CMAKE_BINARY_DIR}/third_party)
endif()
target_include_directories(sz3_headers SYSTEM INTERFACE ${sz3_include})
target_link_libraries(sz3_headers INTERFACE zstd_static)

# One- to four-dimensional code is all in there; no OpenMP, whose threads an MPI rank cannot spare.
file(GLOB zfp_sources ${third_party}/zfp/src/*.c)
add_library(zfp_static STATIC ${zfp_sources})
target_include_directories(zfp_static SYSTEM PUBLIC ${third_party}/zfp/include)
set_target_properties(zfp_static PROPERTIES C_VISIBILITY_PRESET hidden C_STANDARD 99)
# Its integer transform overflows on damaged streams.
target_compile_options(zfp_static PRIVATE -w -fwrapv)
if(TIGHTWIRE_SANITIZE MATCHES address)
  target_compile_options(zfp_static PRIVATE -fsanitize=address)
endif()
