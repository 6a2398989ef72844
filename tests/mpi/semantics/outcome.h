// What became of an operation, in the words of the log.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "buffer.h"
#include "communicators.h"
#include "plan.h"

namespace semantics {

// For the tests of the comparison: what the first receive of a message that is not empty gets
// wrong.
enum class Fault : std::uint8_t { nothing, byte, guard, source, tag, count };

struct Judge {
  double bound = 0;  // what floating-point values may err
  Fault fault = Fault::nothing;
};

// Of messages that are too long, by the communicator's error handler: MPICH 4.0 calls none where a
// request or a matched message turns out to be truncated.
#ifdef MPICH_NUMVERSION
constexpr bool truncation_is_handled = false;
#else
constexpr bool truncation_is_handled = true;
#endif

// A completed receive of an open inbox: which message it was is known when all are there.
struct OpenReceipt {
  int operation = none;
  int source = none;  // rank of the world
  std::string status;
  std::vector<std::byte> bytes;
};

[[nodiscard]] int error_class(int code);

// Source, tag, count, elements and whether it was cancelled.
[[nodiscard]] std::string status_text(const MPI_Status& status, const Communicator& comm, int rank,
                                      MPI_Datatype type);

// For a message of which it is left to time which datatype received it: what does not depend on it.
[[nodiscard]] std::string open_status_text(const MPI_Status& status, Base base, MPI_Datatype type);

// "hash H data ok" of a receive's memory; without the hash where bytes are not determined.
[[nodiscard]] std::string data_text(const Buffer& buffer, const std::vector<std::byte>& bytes,
                                    const Message& message, bool truncated, double bound);

// All values of a sum are the same whole number, but for what the bound allows.
[[nodiscard]] std::string sum_text(const std::vector<double>& sum, double bound);

// What an operation is, before what became of it.
[[nodiscard]] std::string describe(const Operation& operation);

}  // namespace semantics
