// Large messages, which go as frames between compressing ranks, and comparisons of what came.
#pragma once

#include <mpi.h>

#include <csetjmp>
#include <functional>
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

// What calls MPI with an argument that it refuses, on a communicator of its own.
struct Trigger {
  const char* name;
  std::function<void(MPI_Comm)> call;
};
[[nodiscard]] std::vector<Trigger> triggers();       // of several kinds
[[nodiscard]] std::vector<Trigger> refused_calls();  // all that there are

// On both ranks: messages too long for their receive, by each way to receive them, where each calls
// a handler that jumps to `place`. `handled` is what it counts.
void jump_over_messages_too_long(std::jmp_buf& place, const int& handled, MPI_Comm comm);

// The cases; the program's argument names one.
void error_handlers();
void jumps();
void handlers_of_all_calls();
void jumps_out_of_all_calls();
void truncation();
void generalized_requests();
void attributes();
void datatype_attributes();
void statuses();
void finalize();
void files();

}  // namespace callbacks
