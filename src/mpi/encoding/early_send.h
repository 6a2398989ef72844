// Sends of values that may have been coded before: the bridge to early/.
#pragma once

#include "codec/encoding.h"
#include "early/early.h"

namespace tightwire::mpi {

// Whether the settings ask for early compression. Else no values need be here for the next two.
[[nodiscard]] bool codes_early();

// Values that go in `chunks` byte_part()s over a link of so many bytes per second (0: not known).
// Gives nothing unless the settings ask for it.
[[nodiscard]] early::Send begin_early(std::span<const std::byte> values, std::size_t chunks,
                                      const codec::Encoding& encoding, double link);

// Early::finer_cut(), where the settings ask for early compression.
[[nodiscard]] std::size_t early_chunks(std::span<const std::byte> values, std::size_t chunks);

// The frame of one chunk: taken if it is ready, else made and kept for the next time. Returns its
// size.
[[nodiscard]] std::size_t pack_early(early::Send& send, std::size_t chunk,
                                     const codec::Encoding& encoding,
                                     std::span<const std::byte> values, std::uint32_t sequence,
                                     std::span<std::byte> frame);

}  // namespace tightwire::mpi
