// Looks at the program's calls while an audit runs: counts and times them and samples what they
// send. The calls themselves go to MPI as they are. generate.py puts an Observation around each.
//
// It bounds what it costs: samples are taken only while they make up less than a hundredth of the
// time so far, and where calls are so many that counting them takes more than that, only some are
// counted, each for several.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>

#include "interpose/recording/recorder.h"

namespace tightwire::auditor {

namespace detail {
inline std::atomic<bool> active{false};
}
// Between MPI_Init and MPI_Finalize, if the settings ask for an audit.
[[nodiscard]] inline bool active() {
  return detail::active.load(std::memory_order_relaxed);
}

// Right after the settings are known; collective.
void start();
// Writes the audit; collective.
void finish();

struct Row;

// A rank's own block of those that it receives, as collectives in place have it; an invalid buffer
// where MPI complains.
[[nodiscard]] mpi::Buffer own_block(void* blocks, mpi::Count count, MPI_Datatype type,
                                    MPI_Comm comm) noexcept;
[[nodiscard]] mpi::Buffer own_block(void* blocks, mpi::Counts counts, mpi::Counts displacements,
                                    MPI_Datatype type, MPI_Comm comm) noexcept;

// One call. Thread safe: each thread has its own. Throws nothing; what MPI would refuse, what is in
// place and what lies in a device's memory is only timed.
class Observation {
 public:
  explicit Observation(const char* function) noexcept;

  // Whether this call is one of those that are counted; nothing else need be told otherwise.
  [[nodiscard]] bool counted() const { return weight_ > 0; }

  // As the functions of recorder.h.
  void message(const recorder::Call& call, const mpi::Buffer& values,
               MPI_Op op = MPI_OP_NULL) noexcept;
  void parts(const recorder::Call& call, const collective::Blocks& blocks) noexcept;
  void neighbours(const recorder::Call& call, const collective::Blocks& blocks) noexcept;
  // The same of a persistent request: what each start of it sends.
  void prepared(const recorder::Call& call, const mpi::Buffer& values, MPI_Op op,
                MPI_Request request) noexcept;
  void prepared_parts(const recorder::Call& call, const collective::Blocks& blocks,
                      MPI_Request request) noexcept;
  void prepared_neighbours(const recorder::Call& call, const collective::Blocks& blocks,
                           MPI_Request request) noexcept;
  // Of values that become ready only after the start, in partitions.
  void prepared_unready(const recorder::Call& call, const mpi::Buffer& values,
                        MPI_Request request) noexcept;
  // The request is one that sends nothing: MPI may have given it the handle of one that did.
  void forget(MPI_Request request) noexcept;
  void started(MPI_Request request) noexcept;
  void started(int count, const MPI_Request* requests) noexcept;

  template <class Body>
  int timed(const Body& body) {
    if (!counted()) return body();
    const auto begin = Clock::now();
    const int code = body();
    account(begin, Clock::now());
    return code;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void look_at(const recorder::Call& call, const mpi::Buffer& values, MPI_Op op, bool is_ready);
  void account(Clock::time_point begin, Clock::time_point end) noexcept;

  const char* function_;
  const void* site_ = nullptr;
  std::uint64_t weight_ = 0;  // how many calls it stands for
  Row* row_ = nullptr;        // the last message's
  Clock::time_point entered_{};
};

}  // namespace tightwire::auditor
