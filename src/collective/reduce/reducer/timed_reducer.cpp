#include "collective/reduce/reducer/timed_reducer.h"

#include <utility>

#include "runtime/report/phase.h"

namespace tightwire::collective {
namespace {

using runtime::Phase;
using runtime::ScopedPhase;

class TimedReducer final : public FrameReducer {
 public:
  explicit TimedReducer(std::unique_ptr<FrameReducer> inner) : inner_(std::move(inner)) {}

  std::size_t max_frame_size(std::size_t value_bytes) const override {
    return inner_->max_frame_size(value_bytes);
  }
  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override {
    const ScopedPhase phase(Phase::encode, own.size());
    return inner_->start(own, sequence, frame);
  }
  bool merges_anywhere() const override { return inner_->merges_anywhere(); }
  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override {
    const ScopedPhase phase(Phase::combine, own.size());
    return inner_->merge(incoming, own, sequence, frame);
  }
  bool completes() const override { return inner_->completes(); }
  Merged complete(std::span<const std::byte> incoming, std::span<const std::byte> own,
                  std::uint32_t sequence, std::span<std::byte> frame,
                  std::span<std::byte> values) override {
    const ScopedPhase phase(Phase::combine, own.size());
    return inner_->complete(incoming, own, sequence, frame, values);
  }
  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    const ScopedPhase phase(Phase::combine, value_bytes);
    return inner_->combine(first, second, value_bytes, sequence, frame);
  }
  wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                        std::span<std::byte> values) override {
    const ScopedPhase phase(Phase::decode, values.size());
    return inner_->finish(frame, sequence, values);
  }

 private:
  std::unique_ptr<FrameReducer> inner_;
};

}  // namespace

std::unique_ptr<FrameReducer> make_timed(std::unique_ptr<FrameReducer> inner) {
  return std::make_unique<TimedReducer>(std::move(inner));
}

}  // namespace tightwire::collective
