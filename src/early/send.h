// A send of a tracked buffer: which of its chunks need not be encoded.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "early/buffer.h"

namespace tightwire::early {

class Early;

// A send of one buffer under way. The values must not change while it lives, as MPI demands of
// programs. Movable; one thread at a time.
class Send {
 public:
  Send() = default;
  Send(Send&& other) noexcept;
  Send& operator=(Send&& other) noexcept;
  Send(const Send&) = delete;
  Send& operator=(const Send&) = delete;
  ~Send();

  // Whether take() can give something, or keep() is of use.
  [[nodiscard]] bool tracked() const { return buffer_ != nullptr; }

  struct Ready {
    codec::Id codec = codec::Id::raw;  // raw: nothing is gained, the values are sent unencoded
    Bytes payload;                     // none if raw; valid as long as the Send
  };
  // Each chunk is asked for once.
  [[nodiscard]] std::optional<Ready> take(std::size_t index);

  // The payload that the send made of a chunk it did not get, in `encode_seconds`; of codec raw the
  // values themselves.
  void keep(std::size_t index, codec::Id codec, Bytes payload, double encode_seconds);

 private:
  friend class Early;
  Send(Early& early, std::shared_ptr<Buffer> buffer);
  [[nodiscard]] std::optional<Ready> take_chunk(std::size_t index);
  void end();

  Early* early_ = nullptr;
  std::shared_ptr<Buffer> buffer_;
  std::vector<std::shared_ptr<EncodedChunk>> taken_;
  std::vector<std::pair<std::size_t, Mark>> missing_;  // chunks that the send encodes itself
  Outcome outcome_;
  std::size_t faults_ = 0;
  std::uint64_t generation_ = 0;  // the buffer's: another send may cut or encode it differently
  bool first_ = false;            // of the tracking: there is nothing to judge yet
};

}  // namespace tightwire::early
