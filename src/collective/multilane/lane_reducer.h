// The reducer of a lane's ring: a host's sum goes in where a rank's own values would, and what
// comes out is for the whole host.
#pragma once

#include "collective/multilane/host_stage.h"

namespace tightwire::collective {

class LaneReducer final : public FrameReducer {
 public:
  // What becomes of a frame of the result: decoded in this rank, kept for the others of the host.
  enum class Result : std::uint8_t { decoded, kept, kept_and_decoded };

  LaneReducer(FrameReducer& inner, HostStage& stage) : inner_(inner), stage_(stage) {}

  void result_is(Result result) { result_ = result; }

  [[nodiscard]] std::size_t max_frame_size(std::size_t value_bytes) const override {
    return inner_.max_frame_size(value_bytes);
  }

  std::size_t start(std::span<const std::byte> own, std::uint32_t sequence,
                    std::span<std::byte> frame) override;

  [[nodiscard]] bool merges_anywhere() const override { return inner_.merges_anywhere(); }
  Merged merge(std::span<const std::byte> incoming, std::span<const std::byte> own,
               std::uint32_t sequence, std::span<std::byte> frame) override;

  Combined combine(std::span<const std::byte> first, std::span<const std::byte> second,
                   std::size_t value_bytes, std::uint32_t sequence,
                   std::span<std::byte> frame) override {
    return inner_.combine(first, second, value_bytes, sequence, frame);
  }

  [[nodiscard]] wire::Unpacked finish(std::span<const std::byte> frame, std::uint32_t sequence,
                                      std::span<std::byte> values) override;

 private:
  [[nodiscard]] std::span<const std::byte> contribution(std::uint32_t sequence) const;

  FrameReducer& inner_;
  HostStage& stage_;
  Result result_ = Result::decoded;
};

}  // namespace tightwire::collective
