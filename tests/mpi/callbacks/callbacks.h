// Large messages, which go as frames between compressing ranks, and comparisons of what came.
#pragma once

#include <mpi.h>

#include <vector>

namespace callbacks {

constexpr int values_of_a_message = 1 << 16;

// Counts what does not hold, and says what.
void expect(bool holds, const char* what);
[[nodiscard]] int failures();

// The values of message `number`, and whether they are here.
[[nodiscard]] std::vector<int> message(int number);
void expect_message(const std::vector<int>& values, int number, const char* what);

// Rank 1 of `comm` sends message `number` to rank 0, with `number` as its tag.
void send_to_0(int number, MPI_Comm comm);
// Rank 0 receives it and looks at it: by MPI_Recv, and by any of these ways.
void receive_from_1(int number, MPI_Comm comm, const char* what);
enum class Way { recv, wait, waitall, test, probe, mprobe, sendrecv };
constexpr Way ways[] = {Way::recv,  Way::wait,   Way::waitall, Way::test,
                        Way::probe, Way::mprobe, Way::sendrecv};
void receive_from_1(Way way, int number, MPI_Comm comm, const char* what);
// A broadcast, an MPI_Allreduce and a message each way: all is in order afterwards.
void expect_working(MPI_Comm comm, const char* what);

// The cases; the program's argument names one.
void error_handlers();
void jumps();
void truncation();
void generalized_requests();
void attributes();
void datatype_attributes();
void statuses();
void finalize();
void files();

}  // namespace callbacks
