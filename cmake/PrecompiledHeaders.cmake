# Headers that are parsed once instead of with every file: one set for libraries, one for programs, one
# for unit tests, as a compiler takes a precompiled header only with the options that it was made with.
# Not for src/codec, whose speed is not to depend on which headers came before.
set(precompiled ${CMAKE_CURRENT_LIST_DIR}/precompiled)

# tightwire_precompiled(NAME HEADER): makes the header for others to reuse, with the folder's options.
function(tightwire_precompiled name header)
  add_library(${name} OBJECT ${precompiled}/empty.cpp)
  target_link_libraries(${name} PRIVATE tightwire_options ${ARGN})
  target_precompile_headers(${name} PRIVATE ${precompiled}/${header})
endfunction()

function(tightwire_reuse_precompiled target)
  get_target_property(type ${target} TYPE)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT type MATCHES "STATIC_LIBRARY|SHARED_LIBRARY|EXECUTABLE" OR NOT sources MATCHES "[.]cpp"
      OR folder MATCHES "src/codec")
    return()
  endif()
  set(from precompiled_library)
  if(type STREQUAL EXECUTABLE AND folder MATCHES "/tests/" AND NOT folder MATCHES "/tests/(mpi|soak|fuzz)(/|$)")
    set(from precompiled_test)
  elseif(type STREQUAL EXECUTABLE)
    set(from precompiled_program)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${from})
endfunction()

function(tightwire_precompile_below folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    tightwire_reuse_precompiled(${target})
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    tightwire_precompile_below(${below})
  endforeach()
endfunction()

tightwire_precompiled(precompiled_library standard.h)
tightwire_precompiled(precompiled_program standard.h)
set_target_properties(precompiled_program PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(precompiled_program PRIVATE -fPIE)
if(TIGHTWIRE_TESTS)
  tightwire_precompiled(precompiled_test test.h GTest::gtest)
  set_target_properties(precompiled_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  get_property(options DIRECTORY ${PROJECT_SOURCE_DIR}/tests PROPERTY COMPILE_OPTIONS)
  target_compile_options(precompiled_test PRIVATE -fPIE ${options})
endif()
tightwire_precompile_below(${PROJECT_SOURCE_DIR})

# An instruction set of its own needs a header of its own.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/wire/checksum_avx2.cpp
  TARGET_DIRECTORY tightwire_wire PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
