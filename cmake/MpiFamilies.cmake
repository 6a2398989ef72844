# All MPI families in one build. Sets TIGHTWIRE_MPI_FAMILIES to those found and defines for each
# an interface target mpi_<family> with its headers and library. FindMPI knows only one MPI at a time.
#
# Debian names the compiler wrappers of MPIs that are installed side by side: mpicc.openmpi. A
# cluster's module brings one, called mpicc; which it is, it says itself. -DMPICC_openmpi=/path/mpicc
# and -DMPICC_mpich=/path/mpicc name any other. The family abi is the standard ABI of MPI 5, whose
# library and handles are the same in every MPI that has it; MPICH calls that wrapper mpicc_abi.
set(TIGHTWIRE_MPI_FAMILIES "")

# Sets result to the command line that the wrapper would run; empty if it does not know the option.
function(tightwire_ask_wrapper wrapper option result)
  execute_process(COMMAND ${wrapper} ${option} OUTPUT_VARIABLE line RESULT_VARIABLE code
    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    set(line "")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

if(TIGHTWIRE_MPI)
  set(show_openmpi -showme)
  set(show_mpich -show)
  set(show_abi -show)
  foreach(family openmpi mpich abi)
    find_program(MPICC_${family} NAMES mpicc.${family} mpicc_${family})
  endforeach()
  if(NOT MPICC_openmpi AND NOT MPICC_mpich)
    find_program(MPICC NAMES mpicc HINTS ENV MPI_HOME PATH_SUFFIXES bin)
    if(MPICC)
      tightwire_ask_wrapper(${MPICC} ${show_openmpi} line)
      if(line)
        set(MPICC_openmpi ${MPICC})
      else()
        set(MPICC_mpich ${MPICC})
      endif()
    endif()
  endif()

  foreach(family openmpi mpich abi)
    if(NOT MPICC_${family})
      message(STATUS "MPI family ${family}: not found (no mpicc.${family})")
      continue()
    endif()
    tightwire_ask_wrapper(${MPICC_${family}} ${show_${family}} line)
    if(NOT line)
      message(FATAL_ERROR "MPICC_${family}: ${MPICC_${family}} does not answer ${show_${family}}; "
        "name the compiler wrapper of ${family}, or leave the variable out")
    endif()
    string(REGEX MATCHALL " -I[^ ]+" includes "${line}")
    list(TRANSFORM includes REPLACE "^ -I" "")
    string(REGEX MATCHALL " -D[^ ]+" macros "${line}")
    list(TRANSFORM macros REPLACE "^ -D" "")
    string(REGEX MATCHALL " -L[^ ]+" folders "${line}")
    string(REGEX MATCHALL " -l[^ ]+" libraries "${line}")
    # Where the program finds the library when it runs, in one piece, as its words may come in pairs.
    string(REGEX MATCHALL " -Wl,[^ ]+" run_path "${line}")
    list(JOIN run_path "" run_path)
    list(TRANSFORM folders STRIP)
    list(TRANSFORM libraries STRIP)
    add_library(mpi_${family} INTERFACE)
    target_include_directories(mpi_${family} SYSTEM INTERFACE ${includes})
    # The C++ bindings of MPI-2 are gone from the standard and would pull in another library.
    target_compile_definitions(mpi_${family} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX ${macros})
    target_link_options(mpi_${family} INTERFACE ${folders} "SHELL:${run_path}")
    target_link_libraries(mpi_${family} INTERFACE ${libraries})
    list(APPEND TIGHTWIRE_MPI_FAMILIES ${family})
    message(STATUS "MPI family ${family}: ${libraries}")
  endforeach()
  if(NOT TIGHTWIRE_MPI_FAMILIES)
    message(WARNING "No MPI found: the command will be built, but nothing that it could load. Put "
      "mpicc on the PATH or name it: -DMPICC_openmpi=... or -DMPICC_mpich=...")
  endif()
endif()

# SMPI, SimGrid's MPI of simulated processes: the rooms that collectives and messages need are compiled for it and linked
# into the programs of bench/scale, never into a library that is loaded before a program.
option(TIGHTWIRE_SMPI "Build the simulation of large jobs, where SimGrid is found" ON)
set(TIGHTWIRE_SIMULATED_FAMILIES "")
if(TIGHTWIRE_SMPI AND TIGHTWIRE_MPI AND TIGHTWIRE_BENCH AND NOT TIGHTWIRE_SANITIZE)
  find_path(SMPI_INCLUDE NAMES smpi/mpi.h)
  find_library(SIMGRID_LIBRARY NAMES simgrid)
  find_program(SMPIRUN NAMES smpirun)
  if(SMPI_INCLUDE AND SIMGRID_LIBRARY AND SMPIRUN)
    add_library(mpi_smpi INTERFACE)
    target_include_directories(mpi_smpi SYSTEM BEFORE INTERFACE
      ${PROJECT_SOURCE_DIR}/bench/scale/smpi_mpi ${SMPI_INCLUDE}/smpi)
    target_link_libraries(mpi_smpi INTERFACE ${SIMGRID_LIBRARY})
    list(APPEND TIGHTWIRE_SIMULATED_FAMILIES smpi)
    message(STATUS "MPI family smpi: ${SIMGRID_LIBRARY}")
  else()
    message(STATUS "MPI family smpi: not found (no SimGrid)")
  endif()
endif()
# For tests, which are not to take what was not built for what was left out.
set(TIGHTWIRE_SIMULATION "${TIGHTWIRE_SIMULATED_FAMILIES}" CACHE INTERNAL "The family of simulated jobs")
