// SMPI's mpi.h, with what it lacks of the standard and our rooms use. No simulated program has
// values of C++'s complex types, so those names stand for C's.
#pragma once

#include_next <mpi.h>

#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX

// A rank that waits lets the others go on at once: looks again and again would each be a turn.
#define TIGHTWIRE_MPI_WAITS_ASLEEP

// SMPI's takes a char*, which it does not write to.
inline int PMPI_Add_error_string(int code, const char* text) {
  return PMPI_Add_error_string(code, const_cast<char*>(text));
}
