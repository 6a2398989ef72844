// The value range over all ranks, which a relative error bound of a reduction is a part of.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>

#include "codec/estimate/value_range.h"

namespace tightwire::mpi {

// Of this rank's own values; several threads look for it where there are some.
[[nodiscard]] codec::ValueRange own_range(codec::ElementType type,
                                          std::span<const std::byte> values);

// How long that takes, as far as is known: by what it has taken here where the calling thread was
// alone, and by how much helpers speed coding up.
[[nodiscard]] double look_seconds(std::size_t bytes, double coding_speedup);

// What ranks tell each other of theirs: the largest of each number over all of them tells the range
// of all. A rank whose values are all the same may hold nothing but fill values.
using RangeExtremes = std::array<double, 4>;
[[nodiscard]] RangeExtremes extremes_of(const codec::ValueRange& own);
[[nodiscard]] codec::ValueRange range_of_all(const RangeExtremes& largest);

// Of all ranks' ranges, the same on every rank. Collective over `comm`; throws MpiError.
[[nodiscard]] codec::ValueRange agreed_range(const codec::ValueRange& own, MPI_Comm comm);

// Says once for each process, at the first message that this is true of, that a relative bound
// wipes out its values, of which there are `count`: a few of them alone make the range. Unless the
// range is that of others.
void warn_if_wiped_out(std::size_t count, const codec::ValueRange& own,
                       const codec::ValueRange& range, double bound);

}  // namespace tightwire::mpi
