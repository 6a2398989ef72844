// Calls that MPI refuses, of the kinds that are served in different ways.
#include "callbacks.h"

namespace callbacks {

std::vector<Trigger> triggers() {
  static int value = 0;
  static std::vector<int> large(values_of_a_message);
  static std::vector<int> room(values_of_a_message);
  constexpr int nobody = 99;
  constexpr int no_tag = -77;
  return {
      {"MPI_Send", [](MPI_Comm comm) { MPI_Send(&value, 1, MPI_INT, nobody, 0, comm); }},
      {"large MPI_Send",
       [](MPI_Comm comm) {
         MPI_Send(large.data(), values_of_a_message, MPI_INT, nobody, 0, comm);
       }},
      {"large MPI_Send, tag",
       [](MPI_Comm comm) {
         MPI_Send(large.data(), values_of_a_message, MPI_INT, 1, no_tag, comm);
       }},
      {"MPI_Isend",
       [](MPI_Comm comm) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Isend(large.data(), values_of_a_message, MPI_INT, 1, no_tag, comm, &request);
       }},
      {"MPI_Recv",
       [](MPI_Comm comm) {
         MPI_Recv(large.data(), values_of_a_message, MPI_INT, 1, no_tag, comm, MPI_STATUS_IGNORE);
       }},
      {"MPI_Irecv",
       [](MPI_Comm comm) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Irecv(large.data(), values_of_a_message, MPI_INT, 1, no_tag, comm, &request);
       }},
      {"MPI_Irecv, count",
       [](MPI_Comm comm) {
         MPI_Request request = MPI_REQUEST_NULL;
         MPI_Irecv(large.data(), -1, MPI_INT, 1, 1, comm, &request);
       }},
      {"MPI_Sendrecv",
       [](MPI_Comm comm) {
         MPI_Sendrecv(large.data(), values_of_a_message, MPI_INT, 1, no_tag, room.data(),
                      values_of_a_message, MPI_INT, 1, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
       }},
      {"MPI_Iprobe",
       [](MPI_Comm comm) {
         int flag = 0;
         MPI_Iprobe(1, no_tag, comm, &flag, MPI_STATUS_IGNORE);
       }},
      {"MPI_Improbe",
       [](MPI_Comm comm) {
         int flag = 0;
         MPI_Message handle = MPI_MESSAGE_NULL;
         MPI_Improbe(1, no_tag, comm, &flag, &handle, MPI_STATUS_IGNORE);
       }},
      {"MPI_Bcast",
       [](MPI_Comm comm) { MPI_Bcast(large.data(), values_of_a_message, MPI_INT, nobody, comm); }},
      {"MPI_Reduce",
       [](MPI_Comm comm) {
         MPI_Reduce(large.data(), large.data(), values_of_a_message, MPI_INT, MPI_SUM, nobody,
                    comm);
       }},
  };
}

}  // namespace callbacks
