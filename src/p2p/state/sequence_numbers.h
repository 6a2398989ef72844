// Every frame from one process to another has a number, so that one that comes twice is noticed:
// what follows a frame is not sent twice and would be waited for in vain.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

namespace tightwire::p2p {

// Thread safe but for set_size().
class SequenceNumbers {
 public:
  // Of MPI_COMM_WORLD, by whose ranks processes are named. Before all else.
  void set_size(std::size_t ranks);

  // For the next frame to a process.
  [[nodiscard]] std::uint64_t next(int destination);
  // False if the number has come from that process before. Frames are received in any order.
  [[nodiscard]] bool is_new(int source, std::uint64_t number);

 private:
  // What has come: all below `end` that is not missing.
  struct Seen {
    std::uint64_t end = 0;
    std::set<std::uint64_t> missing;
  };

  std::vector<std::atomic<std::uint64_t>> sent_;
  std::mutex mutex_;
  std::vector<Seen> seen_;
};

[[nodiscard]] SequenceNumbers& sequence_numbers();

}  // namespace tightwire::p2p
