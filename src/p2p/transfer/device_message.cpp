// Messages that a GPU encodes where it has them, and decodes to where they belong.
#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>

#include "mpi/device/look.h"
#include "mpi/encoding/own_speeds.h"
#include "p2p/state/process_wide.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/message_encoding.h"
#include "p2p/transfer/outgoing.h"
#include "policy/device/cost.h"
#include "policy/message.h"
#include "runtime/device_traffic.h"
#include "runtime/report/phase.h"

namespace tightwire::p2p {
namespace {

using Clock = std::chrono::steady_clock;

// Of this process's messages, for all its threads.
class SharedTrials {
 public:
  [[nodiscard]] bool begin(const policy::DeviceTrials::Kind& kind) {
    const std::scoped_lock lock(mutex_);
    return trials_.begin(kind);
  }
  void end(const policy::DeviceTrials::Kind& kind, bool paid) {
    const std::scoped_lock lock(mutex_);
    trials_.end(kind, paid);
  }

 private:
  std::mutex mutex_;
  policy::DeviceTrials trials_;
};

// Than to stage it.
bool is_quicker(const codec::Prediction& coded, std::size_t bytes, double link) {
  const std::array ways{policy::beside_staging(coded, bytes)};
  return policy::best_way(ways, {bytes, link, {1, 1}}).codec != codec::Id::raw;
}

bool pays(std::size_t bytes, double ratio, double link) {
  if (ratio < least_ratio) return false;
  codec::Prediction coded = policy::coded_by_devices(bytes, ratio);
  mpi::own_speeds().adapt(coded);
  return is_quicker(coded, bytes, link);
}

// As fast as devices are by the model: what a busy one has shown may be over.
bool is_likely_to_pay(const policy::DeviceTrials::Kind& kind, double link) {
  const codec::Prediction best = policy::coded_by_devices(kind.bytes, policy::best_device_ratio);
  return is_quicker(best, kind.bytes, link) && process_wide<SharedTrials>().begin(kind);
}

// Of what is encoded because it is asked for there is none.
void end_trial(const std::optional<policy::DeviceTrials::Kind>& trial, bool paid) {
  if (trial) process_wide<SharedTrials>().end(*trial, paid);
}

// Throws what the device says.
std::optional<MessageEncoding> encoding_of(const policy::Plan& plan,
                                           const settings::Settings& settings,
                                           const mpi::CodedBuffer& buffer,
                                           const policy::DeviceTrials::Kind& kind, double link) {
  const auto trial = link > 0 ? std::optional(kind) : std::nullopt;
  const bool relative = settings.error_bound.kind == settings::ErrorBound::Kind::relative;
  const std::size_t sampled = relative ? std::min(mpi::sample_bytes, kind.bytes) : 0;
  const Clock::time_point start = Clock::now();
  // The memory is free until the message is encoded there.
  const mpi::DeviceLook look =
      mpi::look_on_device(buffer.values(kind.type, kind.bytes), buffer.pinned().first(sampled));
  const std::chrono::duration<double> looked = Clock::now() - start;
  const auto bound = mpi::bound_by(look, settings.error_bound);
  if (!bound) {
    end_trial(trial, false);
    return std::nullopt;
  }
  MessageEncoding chosen{
      plan, {codec::find(codec::Id::bounded_device), kind.type, {}}, 1, {}, link};
  chosen.plan.codec = codec::Id::bounded_device;
  chosen.encoding.parameters.error_bound = *bound;
  chosen.encoding.parameters.alone = true;
  chosen.on_device = OnDevice{look.range, looked.count(), trial};
  return chosen;
}

// What has been encoded, to so many bytes, in so many seconds.
bool has_paid(const OnDevice& chosen, std::size_t size, double seconds, double link) {
  if (!chosen.trial) return true;
  const std::size_t bytes = chosen.trial->bytes;
  const double ratio = static_cast<double>(bytes) / static_cast<double>(size);
  mpi::own_speeds().add({codec::Id::bounded_device},
                        policy::coded_by_devices(bytes, ratio).encode_seconds,
                        chosen.look_seconds + seconds);
  const bool paid = pays(bytes, ratio, link);
  end_trial(chosen.trial, paid);
  return paid;
}

}  // namespace

std::optional<MessageEncoding> encoding_on_device(const policy::Plan& plan,
                                                  const settings::Settings& settings,
                                                  const policy::DeviceTrials::Kind& kind,
                                                  double link, const SendBuffer& values) {
  const mpi::CodedBuffer* const buffer = values.on_device();
  const bool within_bound = plan.tier == policy::Tier::bounded &&
                            settings.bounded_codec == settings::BoundedCodec::bounded &&
                            codec::is_floating_point(kind.type);
  if (buffer == nullptr || !within_bound || !buffer->is_aligned_to(kind.type)) return std::nullopt;
  if (link > 0 && !is_likely_to_pay(kind, link)) return std::nullopt;
  try {
    return encoding_of(plan, settings, *buffer, kind, link);
  } catch (const mpi::coder::Error& error) {
    buffer->tell_of(error);
    return std::nullopt;
  }
}

// The frame is made where the values would come to: behind its mark.
bool Outgoing::encode_on_device() {
  mpi::CodedBuffer& buffer = *values_.on_device();
  const codec::Encoding& encoding = encoding_.encoding;
  const runtime::MessagePhase phase(runtime::Phase::encode, values_.size());
  try {
    const std::size_t size = mpi::coder::encode(
        buffer.values(encoding.type, values_.size()), encoding.parameters.error_bound,
        encoding_.on_device->range, buffer.pinned().subspan(wire::mark_size));
    encoding_seconds_ = phase.seconds();
    if (!has_paid(*encoding_.on_device, size, encoding_seconds_, encoding_.link)) return false;
    on_device_ = Encoded{encoding.codec->id(), size};
  } catch (const mpi::coder::Error& error) {
    if (error.problem != mpi::coder::Problem::too_fine) buffer.tell_of(error);
    end_trial(encoding_.on_device->trial, false);
    return false;
  }
  return true;
}

// The frame is sent, or the values as they are.
void Outgoing::end_on_device(bool is_sent) {
  if (!on_device_) return;
  if (is_sent) {
    runtime::device_traffic().encoded += values_.size();
  } else {
    end_trial(encoding_.on_device->trial, false);
    on_device_.reset();
  }
}

std::span<std::byte> Outgoing::frame_memory() {
  return on_device_ ? values_.pinned() : memory_.bytes();
}

// Where it came otherwise than to pinned memory, it goes there first.
bool Incoming::decode_on_device(const wire::ReadTrailer& read, std::span<const std::byte> payload) {
  const wire::Trailer& trailer = read.trailer;
  const bool is_for_device = coded_ != nullptr && trailer.codec == codec::Id::bounded_device &&
                             trailer.chunks <= 1 && !truncated_ && !history_ &&
                             codec::is_floating_point(trailer.type) &&
                             size_ % codec::element_size(trailer.type) == 0 &&
                             coded_->is_aligned_to(trailer.type) && read.matches(payload);
  if (!is_for_device) return false;
  const runtime::MessagePhase phase(runtime::Phase::decode, size_);
  const std::span<std::byte> pinned = coded_->pinned();
  if (memory_) {
    std::ranges::copy(payload, pinned.begin());
    payload = pinned.first(payload.size());
  }
  try {
    mpi::coder::decode(payload, coded_->values(trailer.type, size_));
  } catch (const mpi::coder::Error& error) {
    if (error.problem != mpi::coder::Problem::other_stream) coded_->tell_of(error);
    return false;
  }
  coded_->set_decoded();
  runtime::device_traffic().decoded += size_;
  return true;
}

}  // namespace tightwire::p2p
