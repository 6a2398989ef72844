// The sending end of one message of a collective: values to frames, chunk by chunk, with what they
// are predicted from.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "codec/encoding.h"
#include "collective/history/frames_on_device.h"
#include "early/early.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/communicator.h"
#include "mpi/device/pieces.h"
#include "mpi/history/sent_history.h"
#include "wire/pack.h"

namespace tightwire::collective {

// Where the receivers keep the message, frames say so (wire/frame.h, Kind::remembered), and this
// process keeps what they decode. All may throw MpiError, std::bad_alloc.
class FrameEncoder {
 public:
  // `values` go in `chunks` byte_part()s. `history` has looked at them, or does nothing; both stay.
  // Where a GPU has the values it encodes what it can make shorter, and the rest is fetched; values
  // on their way from one in pieces are waited for chunk by chunk. Where that cannot be, the frame
  // tells of a failure.
  FrameEncoder(mpi::Communicator& communicator, std::span<const std::byte> values,
               std::size_t chunks, const codec::Encoding& encoding, mpi::SentHistory& history,
               ValuesOnDevice on_device = {});

  // What a frame needs room for.
  [[nodiscard]] std::size_t capacity() const;
  // Whether several threads may be in encode() at once: early compression has a helper of its own,
  // and a GPU does one thing after the other.
  [[nodiscard]] bool is_for_several_threads() const {
    return !early_.tracked() && on_device_.buffer == nullptr;
  }
  // Both once for each chunk. Returns the size of the frame.
  [[nodiscard]] std::size_t encode(std::size_t chunk, std::uint32_t sequence,
                                   std::span<std::byte> frame);
  // On the calling thread, in order.
  void encoded(std::size_t chunk, std::size_t size);
  // What the receivers make of a frame that was encoded.
  [[nodiscard]] wire::Unpacked decode(std::span<const std::byte> frame, std::uint32_t sequence,
                                      std::size_t chunk, std::span<std::byte> values) const;

 private:
  // 0: not made there, and the values are here.
  [[nodiscard]] std::size_t encode_there(std::span<const std::byte> values, std::uint32_t sequence,
                                         std::span<std::byte> frame) const;
  [[nodiscard]] std::size_t encode_to_keep(std::size_t chunk, std::uint32_t sequence,
                                           std::span<std::byte> frame) const;
  // Of a frame of so many bytes that was made of so many: this machine's speed.
  void note_speed(std::size_t bytes, std::size_t size, double took);
  void end();

  std::span<const std::byte> values_;
  std::size_t chunks_;
  const codec::Encoding& encoding_;
  mpi::SentHistory& history_;
  ValuesOnDevice on_device_;
  std::shared_ptr<mpi::Pieces> pieces_;  // if they come in some
  std::uint32_t rank_;                   // as users know it
  early::Send early_;
  std::optional<wire::HistoryBlock> block_;  // of a message that is kept
  mpi::BufferPool::Lease decoded_;           // what receivers have of it, if that is not values_
  std::size_t bytes_after_ = 0;
  // Of the chunks that are long enough to tell; several threads may be at them.
  std::atomic<std::size_t> timed_ = 0;  // bytes
  std::atomic<double> took_ = 0;        // seconds
};

}  // namespace tightwire::collective
