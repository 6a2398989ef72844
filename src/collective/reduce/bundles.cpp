#include "collective/reduce/bundles.h"

#include <algorithm>
#include <limits>

#include "wire/bundle.h"

namespace tightwire::collective {

PieceRange Bundles::around(std::size_t piece, PieceRange range) const {
  const std::size_t begin = piece / pieces_ * pieces_;
  return {std::max(begin, range.begin), std::min(begin + pieces_, range.end)};
}

void Bundles::send(std::span<const std::span<const std::byte>> frames, int peer) {
  while (!sent_.empty() && sent_.front().test()) sent_.pop_front();
  std::size_t bytes = 0;
  for (const auto& frame : frames) bytes += frame.size();
  Slot& message = sent_.emplace_back(communicator_, wire::bundle_size(frames.size(), bytes));
  wire::BundleWriter writer(message.buffer(), frames.size());
  for (const auto& frame : frames) writer.add(frame);
  message.send(writer.size(), peer, tag_);
}

void Bundles::receive(PieceRange range, int peer) {
  here_ = range.begin;
  for (std::size_t piece = range.begin; piece < range.end;) {
    const PieceRange pieces = around(piece, range);
    const std::size_t room = wire::bundle_size(pieces.size(), pieces.size() * capacity_);
    expected_.push_back({pieces, Slot(communicator_, room)});
    expected_.back().message.receive(peer, tag_);
    piece = pieces.end;
  }
}

void Bundles::unpack(std::size_t received, std::vector<Slot>& slots,
                     std::vector<std::size_t>& sizes) {
  constexpr std::size_t no_frame = std::numeric_limits<std::size_t>::max();
  const auto& [pieces, message] = expected_.front();
  std::vector<std::span<const std::byte>> frames(pieces.size());
  const bool sound = received <= message.buffer().size() &&
                     wire::find_bundled(message.buffer().first(received), frames);
  for (std::size_t piece = pieces.begin; piece < pieces.end; ++piece) {
    const std::span<const std::byte> frame = frames[piece - pieces.begin];
    const std::span<std::byte> room = slots[piece].buffer();
    const bool fits = sound && frame.size() <= room.size();
    if (fits) std::ranges::copy(frame, room.begin());
    sizes[piece] = fits ? frame.size() : no_frame;
  }
  here_ = pieces.end;
  expected_.pop_front();
}

Schedule<> Bundles::all_sent() {
  for (Slot& message : sent_) {
    co_await message.transferred();
  }
}

}  // namespace tightwire::collective
