# What this processor takes, by -O2 in half the time of -O3; what others take is not optimized, for that is a
# third of all the compiling.
target_compile_options(tightwire_codec PRIVATE -O2)
set(wanted avx512f avx512bw avx512cd avx512dq avx512vl bmi2)
set(flags "")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
endif()
string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
list(REMOVE_ITEM wanted ${flags} none)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
  set(idle portable)
elseif(wanted STREQUAL "")
  set(idle avx2 portable)
elseif("avx2" IN_LIST flags)
  set(idle avx512 portable)
else()
  set(idle avx512 avx2)
endif()
foreach(isa IN LISTS idle)
  # Some intrinsics of AVX-512 want constants, which take the optimizer to see.
  set_source_files_properties(simd/${isa}/kernels.cpp PROPERTIES COMPILE_OPTIONS
    $<IF:$<STREQUAL:${isa},avx512>,-O1,-O0>)
endforeach()
