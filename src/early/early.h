// Early compression: the chunks of a message encoded before it is sent, in the time between the
// last write to the buffer and the send.
//
// A send begins with begin(), asks for each chunk with take(), encodes itself what it does not get,
// and hands that in with keep(), for the next send of the same buffer. What take() gives is the
// encoding of the very bytes that the chunk holds at that moment: docs/user/early.md says why. Only
// chunks written to since then are encoded again.
//
// No MPI. Thread safe: any number of threads may send at once. Nothing throws; where the system
// gives no memory or thread, sends simply get nothing. After a fork the child gets nothing either.
#pragma once

#include <sys/types.h>

#include "early/buffer_registry.h"
#include "early/encoding/early_encoder.h"
#include "early/memory/pinned_memory.h"
#include "early/send.h"
#include "settings/values.h"

namespace tightwire::early {

struct Options {
  // on: every buffer sent twice is tracked for good, and the helper runs on any core of the mask;
  // automatic: as long as it pays, and on an idle core only.
  settings::Early mode = settings::Early::automatic;
  settings::EarlyMechanism mechanism = settings::EarlyMechanism::automatic;
  std::size_t tracked_bytes = std::size_t{256} << 20;
};

class Early {
 public:
  explicit Early(const Options& options);
  ~Early();
  Early(const Early&) = delete;
  Early& operator=(const Early&) = delete;

  // Into how many chunks to cut values that are about to be sent and would otherwise go in
  // `chunks`: more if they are tracked, or going to be, and the program rewrites parts of them
  // only, for a write spoils the chunk it falls into.
  [[nodiscard]] std::size_t finer_cut(Bytes values, std::size_t chunks);

  // A send of `values` in chunks that end at `ends` (bytes, ascending, the last one values.size()).
  [[nodiscard]] Send begin(Bytes values, std::span<const std::size_t> ends,
                           const codec::Encoding& encoding, const Path& path);

  [[nodiscard]] Statistics statistics() const;
  [[nodiscard]] Mechanism mechanism() const { return trackers_.all[0]->mechanism(); }
  [[nodiscard]] const Cost& cost() const { return cost_; }

 private:
  friend class Send;
  void begin_tracking(Buffer& buffer);
  void renew(Buffer& buffer);
  [[nodiscard]] bool protection_is_sound();

  const pid_t process_;
  const Trackers trackers_;
  const Cost cost_;
  const PinnedMemory pinned_memory_;
  mutable BufferRegistry registry_;
  // Guarded by the registry's mutex.
  bool saw_pinned_memory_ = false;
  std::uint64_t sends_ = 0;
  EarlyEncoder encoder_;
};

}  // namespace tightwire::early
