// What samples of this process's messages show, by buffer, size, type and bound; for all its
// threads.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "codec/estimate/memory.h"
#include "mpi/encoding/sample_choice.h"
#include "p2p/state/process_wide.h"
#include "p2p/transfer/buffer/send_buffer.h"
#include "p2p/transfer/message_encoding.h"
#include "policy/message.h"

namespace tightwire::p2p {

// Thread safe.
class MessageSamples {
 public:
  [[nodiscard]] codec::Estimate of(const MessageEncoding& chosen, SendBuffer& values);
  // As EstimateMemory::latest(): by an earlier bound, without a look at the values.
  [[nodiscard]] std::optional<codec::Estimate> latest(
      codec::ElementType type, const SendBuffer& values,
      const std::function<bool(const codec::Estimate&)>& is_enough);
  // What an encoding came to.
  void observe(const MessageEncoding& chosen, const SendBuffer& values, double ratio);

 private:
  std::mutex mutex_;
  codec::EstimateMemory memory_{{mpi::uses_of_estimates(), mpi::uses_of_estimates()}};
};

[[nodiscard]] inline MessageSamples& message_samples() {
  return process_wide<MessageSamples>();
}

inline codec::Estimate MessageSamples::of(const MessageEncoding& chosen, SendBuffer& values) {
  codec::Parameters parameters = chosen.encoding.parameters;
  parameters.second_stage = codec::SecondStage::entropy;
  const std::scoped_lock lock(mutex_);
  return memory_.get(chosen.encoding.type, values.name(), parameters,
                     policy::candidates_beside(chosen.plan.codec), [&] { return values.all(); });
}

inline std::optional<codec::Estimate> MessageSamples::latest(
    codec::ElementType type, const SendBuffer& values,
    const std::function<bool(const codec::Estimate&)>& is_enough) {
  const std::scoped_lock lock(mutex_);
  const codec::Estimate* const known = memory_.latest(type, values.name(), is_enough);
  return known != nullptr ? std::optional(*known) : std::nullopt;
}

inline void MessageSamples::observe(const MessageEncoding& chosen, const SendBuffer& values,
                                    double ratio) {
  const std::scoped_lock lock(mutex_);
  memory_.observe(
      chosen.encoding.type, values.name(), chosen.encoding.parameters,
      {.codec = chosen.encoding.codec->id(),
       .encoded_size = static_cast<std::size_t>(static_cast<double>(values.size()) / ratio),
       .stage = chosen.encoding.parameters.second_stage});
}

}  // namespace tightwire::p2p
