#include "p2p/feedback/announced_lengths.h"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "mpi/error.h"
#include "p2p/state/channel.h"
#include "p2p/state/deferred_sends.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/process_wide.h"
#include "wire/lengths/announced_length.h"
#include "wire/lengths/frame_length.h"

namespace tightwire::p2p {
namespace {

// What is shorter than its message is sent in two parts: the second, some 64 bytes for each try,
// must be small enough to leave before anybody asks for it.
constexpr int most_tries = 32;
// A frame becomes up to twice as long by that.
constexpr int most_tries_of_frames = 64;

}  // namespace

AnnouncedLengths& announced_lengths() {
  return process_wide<AnnouncedLengths>();
}

// A length keeps its meaning, so a message finds the one it had before: all it tried before that
// are still taken.
std::optional<std::size_t> AnnouncedLengths::length_of(std::size_t bytes, int receiver) {
  const std::scoped_lock lock(mutex_);
  std::size_t length = wire::announced_length_within(bytes);
  for (int tries = 0; tries < most_tries && length >= frame_rules().shortest_frame; ++tries) {
    if (stands_for(length, bytes, receiver)) return length;
    length = wire::announced_length_within(length - 1);
  }
  return std::nullopt;
}

// One length in each 64th of those up to the next power of two: the frames of a program's messages
// of one size differ a little each time. Which one, differs by size, so that few are taken; and
// only every second of all, so that length_of() finds others.
std::optional<std::size_t> AnnouncedLengths::length_from(std::size_t least, std::size_t bytes,
                                                         int receiver) {
  constexpr std::size_t between = 128;
  constexpr std::uint64_t spread = 0x9e3779b97f4a7c15U;
  const std::size_t places = std::max<std::size_t>(std::bit_floor(least) / (64 * between), 1);
  const std::size_t place = (bytes * spread >> 32) % places;
  const std::size_t step = places * between;
  const std::scoped_lock lock(mutex_);
  std::size_t above = least / step * step + place * between;
  for (int tries = 0; tries < most_tries_of_frames; above += step) {
    if (above < least) continue;
    const std::size_t length = wire::announced_length_within(above);
    if (length < least) continue;
    if (length >= bytes) break;
    if (stands_for(length, bytes, receiver)) return length;
    ++tries;
  }
  return std::nullopt;
}

bool AnnouncedLengths::stands_for(std::size_t length, std::size_t bytes, int receiver) {
  const auto [place, is_new] = told_.try_emplace({receiver, length}, bytes);
  if (is_new) announce(length, bytes, receiver);
  return place->second == bytes;
}

void AnnouncedLengths::announce(std::size_t length, std::size_t bytes, int receiver) try {
  deferred_sends().post(wire::write_announcement({length, bytes}), receiver, Channel::length_tag);
} catch (...) {
  told_.erase({receiver, length});
  throw;
}

std::optional<std::size_t> AnnouncedLengths::meaning_of(std::size_t length, int sender) {
  const std::scoped_lock lock(mutex_);
  if (!heard_.contains({sender, length})) take_announcements();
  const auto found = heard_.find({sender, length});
  return found == heard_.end() ? std::nullopt : std::optional(found->second);
}

void AnnouncedLengths::take_announcements() {
  take_all<wire::announcement_size>(
      Channel::length_tag, [this](int from, std::span<const std::byte> bytes) {
        const auto announced = wire::read_announcement(bytes);
        if (!announced) throw mpi::MpiError{MPI_ERR_OTHER};
        heard_.insert_or_assign({from, announced->length}, announced->message_bytes);
      });
}

}  // namespace tightwire::p2p
