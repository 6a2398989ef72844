#include "calibrate/measure/drain_burst.h"

#include <vector>

#include "calibrate/measure/plain_mpi.h"
#include "calibrate/measure/world.h"

namespace tightwire::calibrate {
namespace {

constexpr std::size_t burst = std::size_t{512} << 10;
constexpr std::size_t smallest_drained = std::size_t{16} << 10;

decltype(&MPI_Sendrecv) plain_sendrecv() {
  decltype(&MPI_Sendrecv) found = nullptr;
  find_plain("PMPI_Sendrecv", found);
  return found;
}

}  // namespace

void drain_burst(std::size_t message_bytes) {
  if (message_bytes < smallest_drained) return;
  static const auto sendrecv = plain_sendrecv();
  static std::vector<char> sent(burst);
  static std::vector<char> received(burst);
  const int size = static_cast<int>(burst);
  const int rank = world_rank();
  const int ranks = world_size();
  const int right = (rank + 1) % ranks;
  const int left = (rank + ranks - 1) % ranks;
  sendrecv(sent.data(), size, MPI_BYTE, right, 0, received.data(), size, MPI_BYTE, left, 0,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace tightwire::calibrate
