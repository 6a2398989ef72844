// Copies between a buffer on a device and the host that go on while the processor does something
// else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mpi/device/driver.h"

namespace tightwire::mpi::driver {

// In a stream of their own, one after the other. The host's memory must stay until they are
// destroyed, which waits for them. All but the destructor throw Error.
class PieceCopies {
 public:
  // Whether the driver has what it takes.
  [[nodiscard]] static bool are_possible();

  // Whether all that the program has given to its default stream is complete; waits for nothing,
  // and keeps no other stream waiting, as an event of that stream would.
  [[nodiscard]] static bool is_default_stream_idle(const Place& place);

  // Who makes them waits for the default stream, or has seen that it is idle.
  enum class Default : std::uint8_t { wait, is_idle };
  PieceCopies(const Place& place, Default of);
  ~PieceCopies();
  PieceCopies(const PieceCopies&) = delete;
  PieceCopies& operator=(const PieceCopies&) = delete;

  // The next piece, of one row; by one thread at a time.
  void to_host(const Rows& piece);
  void to_device(const Rows& piece);

  // Until that piece, of those to the host, is there, and so are those before it. Thread safe.
  void wait_for(std::size_t piece) const;
  // For all of both.
  void wait() const;

 private:
  void make_stream(Default of);
  void close() noexcept;

  void* context_ = nullptr;
  void* stream_ = nullptr;
  std::vector<void*> ends_;  // events: of the pieces to the host
};

}  // namespace tightwire::mpi::driver
