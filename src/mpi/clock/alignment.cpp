#include "mpi/clock/alignment.h"

#include <array>
#include <bit>
#include <span>

#include "mpi/clock/own_seconds.h"
#include "mpi/error.h"
#include "mpi/progress/wait.h"

namespace tightwire::mpi {
namespace {

constexpr int alignment_tag = 8;
// The first may set up a connection, and any may be held up.
constexpr std::size_t exchanges = 6;

class Alignment {
 public:
  Alignment(const Communicator& communicator, policy::CommonClock& clock)
      : communicator_(communicator), clock_(clock), tag_(communicator.tag(alignment_tag)) {}

  // Returns half the time of the shortest exchange.
  double ask(int parent) {
    std::array<policy::ClockExchange, exchanges> made{};
    const int address = communicator_.address(parent);
    Answer answer{};
    for (policy::ClockExchange& one : made) {
      const double question = 0;
      one.asked = own_seconds();
      check(PMPI_Send(&question, 1, MPI_DOUBLE, address, tag_, communicator_.comm));
      receive(answer.data(), 2, address);
      one.heard = own_seconds();
      one.answered = answer[0];
    }
    policy::ClockOffset offset = policy::offset_by(made);
    offset.ahead += answer[1];
    clock_.align(offset);
    return offset.one_way;
  }

  void answer(int child) {
    const int address = communicator_.address(child);
    for (std::size_t i = 0; i < exchanges; ++i) {
      double question = 0;
      receive(&question, 1, address);
      const double now = own_seconds();
      const Answer answer{now, clock_.at(now) - now};
      check(PMPI_Send(answer.data(), 2, MPI_DOUBLE, address, tag_, communicator_.comm));
    }
  }

 private:
  void receive(double* numbers, int count, int address) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(PMPI_Irecv(numbers, count, MPI_DOUBLE, address, tag_, communicator_.comm, &request));
    check(wait(&request, MPI_STATUS_IGNORE));
  }

  // The own clock, and what the common one is ahead of it.
  using Answer = std::array<double, 2>;

  const Communicator& communicator_;
  policy::CommonClock& clock_;
  int tag_;
};

}  // namespace

// The parent of a rank is the same without its lowest bit, so its children have one more below
// that.
double align_clock(const Communicator& communicator, policy::CommonClock& clock) {
  const auto rank = static_cast<unsigned>(communicator.rank);
  const auto size = static_cast<unsigned>(communicator.size);
  Alignment alignment(communicator, clock);
  double latency = 0;
  if (rank == 0) {
    clock.align({own_seconds(), 0, 0});
  } else {
    latency = alignment.ask(static_cast<int>(rank & (rank - 1)));
  }
  const unsigned above = rank == 0 ? std::bit_ceil(size) : rank & (~rank + 1);
  for (unsigned bit = above / 2; bit > 0; bit /= 2) {
    if ((rank | bit) < size) alignment.answer(static_cast<int>(rank | bit));
  }
  communicator.participants.agree(std::span(&latency, 1), MPI_MAX);
  return latency;
}

}  // namespace tightwire::mpi
