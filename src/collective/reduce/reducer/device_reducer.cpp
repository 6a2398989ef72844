#include "collective/reduce/reducer/device_reducer.h"

#include <algorithm>

#include "collective/transfer/sum_frame.h"
#include "device/host_codec.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/pinned_work.h"
#include "mpi/error.h"
#include "runtime/device_traffic.h"

namespace tightwire::collective {
namespace {

class DeviceReducer final : public FrameReducer {
 public:
  DeviceReducer(const codec::Encoding& encoding, std::shared_ptr<mpi::CodedBuffer> own,
                std::shared_ptr<mpi::CodedBuffer> result, std::uint32_t rank)
      : rank_(rank),
        type_(encoding.type),
        sum_{encoding.parameters.error_bound, encoding.parameters.terms},
        own_(std::move(own)),
        result_(std::move(result)) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    return std::max(wire::failure_frame_size, wire::header_size + stream_room(value_bytes));
  }

  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    const std::span<std::byte> body = frame.subspan(wire::header_size);
    std::size_t size = made(own.size(), body, [&](std::span<std::byte> pinned) {
      return mpi::coder::encode_term(own_->values_at(type_, own), sum_, pinned);
    });
    if (size == 0) size = encoded_here(own, body);
    if (size == 0) return wire::write_failure(frame, sequence, {rank_, wire::Problem::undecodable});
    return sealed(size, own.size(), sequence, frame);
  }

  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const OpenedSums operand = opened(incoming, own.size(), sequence);
    if (operand.state.problem) return {operand.state, 0};
    const std::span<std::byte> body = frame.subspan(wire::header_size);
    std::size_t size = made(own.size(), body, [&](std::span<std::byte> pinned) {
      const auto there = pinned_copy(operand.encoded);
      return mpi::coder::add_term({there.bytes(), operand.encoded.size()},
                                  own_->values_at(type_, own), sum_, pinned);
    });
    if (size > 0) return {{}, sealed(size, own.size(), sequence, frame)};
    // Whoever gets what could not be merged is told so.
    if (!fetched()) return {undecodable, 0};
    size = merged_here(operand.encoded, own, body);
    if (size == 0) return {undecodable, 0};
    return {{}, sealed(size, own.size(), sequence, frame)};
  }

  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    const OpenedSums a = opened(first, value_bytes, sequence);
    const OpenedSums b = opened(second, value_bytes, sequence);
    if (a.state.problem || b.state.problem) return {a.state, b.state, 0};
    const std::span<std::byte> body = frame.subspan(wire::header_size);
    std::size_t size = combined(a.encoded, b.encoded, value_bytes, body);
    if (size == 0) size = combined_here(a.encoded, b.encoded, value_bytes, body);
    if (size == 0) return {undecodable, undecodable, 0};
    return {{}, {}, sealed(size, value_bytes, sequence, frame)};
  }

  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    if (result_ == nullptr) return wire::unpack(frame, type_, sequence, values);
    const OpenedSums sums = opened(frame, values.size(), sequence);
    if (sums.state.problem) return sums.state;
    return decoded_there(sums.encoded, values) ? wire::Unpacked{sums.state}
                                               : decoded_here(frame, sequence, values);
  }

 private:
  static constexpr wire::Unpacked undecodable{
      wire::Problem::undecodable, {}, codec::Id::bounded_device};

  [[nodiscard]] OpenedSums opened(std::span<const std::byte> frame, std::size_t value_bytes,
                                  std::uint32_t sequence) const {
    return open_sums(frame, {type_, value_bytes, sequence}, codec::Id::bounded_device);
  }
  [[nodiscard]] std::size_t stream_room(std::size_t value_bytes) const {
    return device::max_encoded_size(type_, value_bytes / codec::element_size(type_));
  }
  [[nodiscard]] codec::bounded::Header header() const {
    return device::header_for_sums(type_, sum_.error_bound, sum_.terms);
  }

  [[nodiscard]] mpi::PinnedPool::Lease pinned_copy(std::span<const std::byte> stream) const {
    mpi::PinnedPool::Lease lease = mpi::pinned_pool().borrow(own_->place(), stream.size());
    std::ranges::copy(stream, lease.bytes());
    return lease;
  }

  // A stream of so many values that make(pinned) makes on the device; 0: it cannot.
  template <class Make>
  std::size_t made(std::size_t value_bytes, std::span<std::byte> body, Make make) const {
    std::size_t size = 0;
    const auto work = [&](std::span<std::byte> pinned) {
      size = make(pinned);
      std::ranges::copy(pinned.first(size), body.begin());
      runtime::device_traffic().encoded += value_bytes;
    };
    return mpi::done_on_device(*own_, stream_room(value_bytes), work) ? size : 0;
  }

  std::size_t combined(std::span<const std::byte> first, std::span<const std::byte> second,
                       std::size_t value_bytes, std::span<std::byte> body) const {
    return made(value_bytes, body, [&](std::span<std::byte> pinned) {
      const auto one = pinned_copy(first);
      const auto other = pinned_copy(second);
      return mpi::coder::add_sums({one.bytes(), first.size()}, {other.bytes(), second.size()},
                                  {own_->place(), nullptr, value_bytes, type_}, sum_, pinned);
    });
  }

  // The same by the processor; 0: the values cannot be had.
  std::size_t encoded_here(std::span<const std::byte> own, std::span<std::byte> body) const {
    if (!fetched()) return 0;
    const codec::Result result = device::encode({}, header(), own, body);
    return result.ok() ? result.size : 0;
  }
  std::size_t merged_here(std::span<const std::byte> incoming, std::span<const std::byte> own,
                          std::span<std::byte> body) const {
    const codec::Result result = device::merge({}, header(), incoming, own, body);
    return result.ok() ? result.size : 0;
  }
  std::size_t combined_here(std::span<const std::byte> first, std::span<const std::byte> second,
                            std::size_t value_bytes, std::span<std::byte> body) const {
    const std::size_t count = value_bytes / codec::element_size(type_);
    const codec::Result result = device::combine({}, header(), count, first, second, body);
    return result.ok() ? result.size : 0;
  }
  [[nodiscard]] bool fetched() const {
    try {
      own_->fetch();
      return true;
    } catch (const mpi::MpiError&) {
      return false;
    }
  }

  bool decoded_there(std::span<const std::byte> stream, std::span<std::byte> values) const {
    if (!result_->is_aligned_to(type_)) return false;
    return mpi::done_on_device(*result_, stream.size(), [&](std::span<std::byte> pinned) {
      std::ranges::copy(stream, pinned.begin());
      mpi::coder::decode(pinned, result_->values_at(type_, values));
      runtime::device_traffic().decoded += values.size();
    });
  }
  wire::Unpacked decoded_here(std::span<const std::byte> frame, std::uint32_t sequence,
                              std::span<std::byte> values) const {
    const wire::Unpacked unpacked = wire::unpack(frame, type_, sequence, values);
    try {
      if (!unpacked.problem) result_->put(values);
    } catch (const mpi::MpiError&) {
      return undecodable;
    }
    return unpacked;
  }

  std::size_t sealed(std::size_t size, std::size_t value_bytes, std::uint32_t sequence,
                     std::span<std::byte> frame) const {
    return seal_sums(frame, size, wire::Kind::data, type_, value_bytes, sequence,
                     codec::Id::bounded_device);
  }

  std::uint32_t rank_;
  codec::ElementType type_;
  mpi::coder::Sum sum_;
  std::shared_ptr<mpi::CodedBuffer> own_;
  std::shared_ptr<mpi::CodedBuffer> result_;
};

}  // namespace

std::unique_ptr<FrameReducer> make_device_reducer(const codec::Encoding& encoding,
                                                  const mpi::Buffer& own, const mpi::Buffer& result,
                                                  int rank) {
  return std::make_unique<DeviceReducer>(encoding, mpi::coded_buffer_at(own.address),
                                         mpi::coded_buffer_at(result.address),
                                         static_cast<std::uint32_t>(rank));
}

}  // namespace tightwire::collective
