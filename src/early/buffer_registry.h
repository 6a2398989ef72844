// The buffers that the program sends from, and which of them are tracked. Exact: a buffer is found
// by its address and size, none displaces another before the registry is full.
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "early/buffer.h"
#include "early/statistics.h"
#include "early/tracking/mechanisms.h"

namespace tightwire::early {

struct Limits {
  std::size_t tracked_bytes = 0;
  std::size_t buffers = 4096;
  bool always_track = false;
};

// Every function but mutex() wants the mutex held. Never held while values are read, encoded or
// hashed.
class BufferRegistry {
 public:
  BufferRegistry(const Trackers& trackers, const Limits& limits)
      : trackers_(trackers), limits_(limits) {}

  [[nodiscard]] std::mutex& mutex() { return mutex_; }

  // The buffer's entry, a new one if need be. When the registry is full, the one not sent for the
  // longest time makes room; null if all are being sent.
  [[nodiscard]] std::shared_ptr<Buffer> find(Bytes values);

  // Its entry, if there is one.
  [[nodiscard]] std::shared_ptr<Buffer> known(Bytes values) const;

  // How a send of the buffer is cut and encoded. What does not fit is dropped.
  void set(Buffer& buffer, const codec::Encoding& encoding, std::span<const std::size_t> ends,
           const Path& path);

  // Begins to track if a mechanism can and the limit allows. True: it is tracked.
  bool track(Buffer& buffer);
  void untrack(Buffer& buffer);
  // Tracking did not pay: another mechanism is tried next, or none for a while.
  void give_up(Buffer& buffer);

  // Ends tracking of buffers that have not been sent for long.
  void give_back(Clock::time_point now);

  [[nodiscard]] std::vector<std::shared_ptr<Buffer>> tracked() const;
  [[nodiscard]] std::size_t tracked_bytes() const { return tracked_bytes_; }

  Statistics statistics;

 private:
  using Key = std::pair<Address, std::size_t>;

  [[nodiscard]] bool make_room();
  [[nodiscard]] bool make_room_for(const Buffer& buffer);

  const Trackers& trackers_;
  const Limits limits_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Buffer>> buffers_;
  std::size_t tracked_bytes_ = 0;
};

}  // namespace tightwire::early
