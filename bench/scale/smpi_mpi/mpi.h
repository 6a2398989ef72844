// SMPI's mpi.h, with what it lacks of the standard and our rooms use. No simulated program has
// values of C++'s complex types, so those names stand for C's.
#pragma once

#include_next <mpi.h>

#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX

// A rank that waits lets the others go on at once: looks again and again would each be a turn. And
// MPI_Request_get_status finds requests complete that are not.
#define TIGHTWIRE_MPI_WAITS_ASLEEP

// SMPI's takes a char*, which it does not write to.
inline int PMPI_Add_error_string(int code, const char* text) {
  return PMPI_Add_error_string(code, const_cast<char*>(text));
}

// SMPI has the names alone of what follows. All that is asked for is bytes.
inline int tightwire_get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  int elements = 0;
  const int code = PMPI_Get_count(status, type, &elements);
  *count = elements;
  return code;
}

// A rank has one thread: what it has found stays there until it receives from that rank with that
// tag.
struct TightwireFoundMessage {
  int source;
  int tag;
  MPI_Comm comm;
};

inline int tightwire_improbe(int source, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                             MPI_Status* status) {
  MPI_Status known{};
  const int code = PMPI_Iprobe(source, tag, comm, found, &known);
  if (status != MPI_STATUS_IGNORE) *status = known;
  *message = MPI_MESSAGE_NULL;
  if (code != MPI_SUCCESS || *found == 0) return code;
  *message = new TightwireFoundMessage{known.MPI_SOURCE, known.MPI_TAG, comm};
  return MPI_SUCCESS;
}

inline int tightwire_mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                           MPI_Status* status) {
  auto* const found = static_cast<TightwireFoundMessage*>(*message);
  const TightwireFoundMessage one = *found;
  delete found;
  *message = MPI_MESSAGE_NULL;
  return PMPI_Recv(buffer, count, type, one.source, one.tag, one.comm, status);
}

#define PMPI_Get_elements_x tightwire_get_elements_x
#define PMPI_Improbe tightwire_improbe
#define PMPI_Mrecv tightwire_mrecv
