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

if(TIGHTWIRE_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
