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
# g++ 12 and 13 see overlapping copies in "text" + std::string (GCC bug 105651).
# The second option is for clang-tidy, which reads this command line and knows no -Wrestrict.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(tightwire_options INTERFACE -Wno-restrict -Wno-unknown-warning-option)
endif()
target_include_directories(tightwire_options INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
if(TIGHTWIRE_SANITIZE)
  target_compile_options(tightwire_options INTERFACE
    -fsanitize=${TIGHTWIRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tightwire_options INTERFACE -fsanitize=${TIGHTWIRE_SANITIZE})
endif()
if(TIGHTWIRE_FUZZ)
  target_compile_options(tightwire_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
