// One call of a baseline: what they share of rings, coding and telling where the time went.
#pragma once

#include "comparison/baselines/channel.h"
#include "comparison/baselines/coder.h"
#include "comparison/breakdown.h"
#include "comparison/operation.h"
#include "mpi/partition.h"

namespace tightwire::comparison {

class RingCall {
 public:
  RingCall(const Coder& coder, const Call& call) : call_(call), coder_(coder) {}
  virtual ~RingCall() = default;
  RingCall(const RingCall&) = delete;
  RingCall& operator=(const RingCall&) = delete;

  // To be called once.
  Breakdown operator()() {
    carry_out();
    return breakdown_;
  }

 protected:
  virtual void carry_out() = 0;

  // A rank's share of the vector. `index` counts around the ring, from -2 ranks on.
  [[nodiscard]] mpi::Part segment(int index) const {
    const int wrapped = (index + 2 * call_.ranks) % call_.ranks;
    return mpi::part_of({0, call_.count}, static_cast<std::size_t>(call_.ranks),
                        static_cast<std::size_t>(wrapped));
  }
  [[nodiscard]] int right() const { return (call_.rank + 1) % call_.ranks; }
  [[nodiscard]] int left() const { return (call_.rank + call_.ranks - 1) % call_.ranks; }

  std::size_t encode(std::span<const float> values, std::span<std::byte> room) {
    return timed(breakdown_.compress, [&] { return coder_.encode(values, room); });
  }
  void decode(std::span<const std::byte> bytes, std::span<float> values) {
    timed(breakdown_.decompress, [&] { coder_.decode(bytes, values); });
  }

  const Call& call_;
  const Coder& coder_;
  Breakdown breakdown_;
  Channel channel_{breakdown_};
};

}  // namespace tightwire::comparison
