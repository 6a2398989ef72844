// Messages that a GPU encodes where it has them, and decodes to where they belong.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "codec/estimate/estimate.h"
#include "codec/fill/find.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/message_encoding.h"
#include "p2p/transfer/outgoing.h"
#include "policy/device_cost.h"
#include "policy/message.h"
#include "runtime/device_traffic.h"
#include "runtime/report/phase.h"

namespace tightwire::p2p {
namespace {

constexpr std::size_t sample_bytes = std::size_t{128} << 10;

using Sample = std::vector<std::byte>;

Sample sample_of(const mpi::coder::Values& values) {
  Sample sample(std::min(sample_bytes, values.bytes));
  sample.resize(mpi::coder::take_sample(values, sample));
  return sample;
}

template <class T>
codec::FillValues fill_values(const Sample& sample, const codec::Extent& extent) {
  return codec::find_fill_values<T>(sample, extent, 0);
}

// Whether some of the values may be fill values, which a range leaves out: they are far apart, and
// a sample may not have them (codec/fill/find.h).
bool may_have_fill_values(codec::ElementType type, const Sample& sample,
                          const codec::ValueRange& range) {
  const codec::Extent seen = codec::finite_extent(type, sample);
  if (!(seen.width() > 0)) return range.any && !range.constant();
  const codec::FillValues fills = type == codec::ElementType::float32
                                      ? fill_values<float>(sample, seen)
                                      : fill_values<double>(sample, seen);
  const bool sampled = fills.others.width() < seen.width();
  return sampled || range.width() >= codec::fill_apart * seen.width();
}

// In numbers; nothing where the host must look.
std::optional<double> bound_on_device(const settings::ErrorBound& bound, codec::ElementType type,
                                      const Sample& sample, const codec::ValueRange& range) {
  if (bound.kind == settings::ErrorBound::Kind::absolute) return bound.value;
  if (may_have_fill_values(type, sample, range)) return std::nullopt;
  const double absolute = bound.value * range.width();
  return std::isnormal(absolute) ? std::optional(absolute) : std::nullopt;
}

// Whether that is quicker than to stage it.
bool pays(codec::ElementType type, const Sample& sample, double bound, std::size_t bytes,
          double link) {
  codec::Parameters parameters;
  parameters.error_bound = bound;
  parameters.alone = true;
  const codec::Estimate estimate =
      codec::estimate(type, sample, parameters, std::array{codec::Id::bounded});
  const codec::Prediction* const by_sample = estimate.of(codec::Id::bounded);
  if (by_sample == nullptr || by_sample->ratio < least_ratio) return false;
  const std::array ways{policy::coded_by_devices(bytes, by_sample->ratio)};
  return policy::best_way(ways, {bytes, link, {1, 1}}).codec != codec::Id::raw;
}

// Throws what the device says.
std::optional<MessageEncoding> encoding_of(const policy::Plan& plan,
                                           const settings::Settings& settings,
                                           const mpi::coder::Values& values, double link) {
  const bool relative = settings.error_bound.kind == settings::ErrorBound::Kind::relative;
  const Sample sample = relative || link > 0 ? sample_of(values) : Sample();
  const codec::ValueRange range = mpi::coder::range_of(values);
  const auto bound = bound_on_device(settings.error_bound, values.type, sample, range);
  if (!bound || (link > 0 && !pays(values.type, sample, *bound, values.bytes, link))) {
    return std::nullopt;
  }
  MessageEncoding chosen{plan, {codec::find(codec::Id::bounded_device), values.type, {}}, 1, link};
  chosen.plan.codec = codec::Id::bounded_device;
  chosen.encoding.parameters.error_bound = *bound;
  chosen.encoding.parameters.alone = true;
  chosen.range_on_device = range;
  return chosen;
}

}  // namespace

std::optional<MessageEncoding> encoding_on_device(const policy::Plan& plan,
                                                  const settings::Settings& settings,
                                                  codec::ElementType type, double link,
                                                  const SendBuffer& values) {
  const mpi::CodedBuffer* const buffer = values.on_device();
  const bool within_bound = plan.tier == policy::Tier::bounded &&
                            settings.bounded_codec == settings::BoundedCodec::bounded &&
                            codec::is_floating_point(type);
  if (buffer == nullptr || !within_bound || !buffer->is_aligned_to(type)) return std::nullopt;
  try {
    return encoding_of(plan, settings, buffer->values(type, values.size()), link);
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
        *encoding_.range_on_device, buffer.pinned().subspan(wire::mark_size));
    on_device_ = Encoded{encoding.codec->id(), size};
  } catch (const mpi::coder::Error& error) {
    if (error.problem != mpi::coder::Problem::too_fine) buffer.tell_of(error);
    return false;
  }
  encoding_seconds_ = phase.seconds();
  runtime::device_traffic().encoded += values_.size();
  return true;
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
