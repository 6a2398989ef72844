// The receiving end of one message of a collective: frames to values, chunk by chunk, with what
// they are predicted from; and the message is kept, if its sender wants that.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "collective/history/frames_on_device.h"
#include "mpi/communicator/communicator.h"
#include "mpi/device/pieces.h"
#include "mpi/history/received_history.h"
#include "wire/pack.h"

namespace tightwire::collective {

class FrameDecoder {
 public:
  // From that rank, wherever the frames come from, to `values` in `chunks` byte_part()s.
  FrameDecoder(const mpi::Communicator& communicator, int sender, std::span<std::byte> values,
               std::size_t chunks)
      : communicator_(&communicator),
        sender_(sender),
        values_(values),
        chunks_(chunks),
        pieces_(mpi::pieces_at(values.data())) {}

  // Before all else, where a GPU is to have the values: they are then not at `values`, its image.
  void decode_on(std::shared_ptr<mpi::CodedBuffer> buffer) { on_device_ = std::move(buffer); }

  // What a frame needs room for.
  [[nodiscard]] std::size_t capacity() const;
  // All three once for each chunk; a damaged or missing frame is an empty one. On the calling
  // thread, in order. Throws MpiError.
  void expect(std::span<const std::byte> frame);
  // On any thread, of several chunks at a time.
  [[nodiscard]] wire::Unpacked decode(std::span<const std::byte> frame, std::uint32_t sequence,
                                      std::size_t chunk) const;
  // On the calling thread, in order. Throws MpiError.
  void decoded(std::size_t chunk, const wire::Unpacked& unpacked);

 private:
  [[nodiscard]] wire::Unpacked unpack(std::span<const std::byte> frame, std::uint32_t sequence,
                                      std::size_t chunk) const;
  void end() const;

  const mpi::Communicator* communicator_;
  int sender_;
  std::span<std::byte> values_;
  std::size_t chunks_;
  std::shared_ptr<mpi::CodedBuffer> on_device_;
  std::shared_ptr<mpi::Pieces> pieces_;  // if values may go to a device in some
  std::optional<mpi::ReceivedHistory> history_;
  bool is_repeated_ = false;
  bool has_references_ = false;
  bool failed_ = false;
};

}  // namespace tightwire::collective
