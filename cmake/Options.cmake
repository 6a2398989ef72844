# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# src/codec/hurry.cmake: of the codecs, only what this machine's processor takes is optimized as ever.
if(NOT TIGHTWIRE_OPTIMIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O0 -DNDEBUG")
elseif(TIGHTWIRE_HURRY)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
endif()

# Then the settings do not offer them.
if(NOT TIGHTWIRE_SZ3_ZFP)
  add_compile_definitions(TIGHTWIRE_NO_SZ3_ZFP)
endif()

# What runs once, or checks: less time to compile is worth more than a faster program. Other -O stay.
set(TIGHTWIRE_QUICK "")
if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
  set(TIGHTWIRE_QUICK "$<$<CONFIG:Release>:-O1>")
endif()

# Sources of the calling folder that read options, by templates that take the optimizer seconds.
function(tightwire_quick_sources)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "${TIGHTWIRE_QUICK}")
endfunction()

# A target whose sources read options or do little else: each of them makes all of the parser's code anew,
# so in trees that are to be built quickly (TIGHTWIRE_PRECOMPILE) they are one source.
function(tightwire_quick_target target)
  target_compile_options(${target} PRIVATE ${TIGHTWIRE_QUICK})
  if(TIGHTWIRE_PRECOMPILE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
  if(TIGHTWIRE_SANITIZE OR TIGHTWIRE_HURRY)
    # Without the optimizer these take half the time; a precompiled header is one of optimized files.
    target_compile_options(${target} PRIVATE -O0)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# A library of many short sources, which parse the same headers (mpi.h) for longer than they take to compile:
# several are one where trees are to be built quickly. The warning is of types in unnamed namespaces that
# others have as members, in what is now an included file.
function(tightwire_short_sources target)
  if(TIGHTWIRE_PRECOMPILE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Link this to every target of our own; third-party code is included as SYSTEM.
# No contraction: a fused multiply-add would make an instruction set's results its own.
add_library(tightwire_options INTERFACE)
target_compile_options(tightwire_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror -ffp-contract=off)
# g++ 12 and 13 see overlapping and overlong copies in "text" + std::string and in moves of strings
# (GCC bugs 105651, 105329, 105762), and in precompiled headers do not know the library's own lines.
# The last option is for clang-tidy, which reads this command line and knows no -Wrestrict.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(tightwire_options INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-unknown-warning-option)
endif()
target_include_directories(tightwire_options INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
if(TIGHTWIRE_SANITIZE)
  # Twice as fast to compile as -O2 -g, and reports still name functions and lines.
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
  set(cheap_checks "")
  if(TIGHTWIRE_SANITIZE MATCHES address)
    # A third of the time to compile, for what is a crash anyway or what ASan sees.
    set(cheap_checks -fno-sanitize=null,vptr,object-size,returns-nonnull-attribute,nonnull-attribute)
    # clang 14 cannot assemble what it adds to coroutines (LLVM bug 49689).
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
      list(APPEND cheap_checks -fno-sanitize=function)
    endif()
  endif()
  target_compile_options(tightwire_options INTERFACE
    -fsanitize=${TIGHTWIRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    ${cheap_checks}
    # g++ sees such uses in what a sanitizer adds; the other trees warn of real ones.
    -Wno-maybe-uninitialized -Wno-unknown-warning-option)
  target_link_options(tightwire_options INTERFACE -fsanitize=${TIGHTWIRE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND TIGHTWIRE_SANITIZE MATCHES address)
    # As g++ does: a program and a library that is loaded before it share one runtime.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir
      OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    target_link_options(tightwire_options INTERFACE -shared-libsan -Wl,-rpath,${resources}/lib/linux)
  endif()
endif()
# For a folder whose code fuzzers run: libFuzzer sees which ways they take.
function(tightwire_fuzzed)
  if(TIGHTWIRE_FUZZ)
    add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp,indirect-calls)
  endif()
endfunction()
