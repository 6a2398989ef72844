// The user's error bound, made absolute, and the codec parameters that follow from the settings.
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "settings/settings.h"

namespace tightwire::mpi {

// Nothing if there is no bound, or none that a codec could keep to (a relative bound of a range
// that is zero or infinite, one below what the type can hold): then the data travels exactly. With
// `comm`, the range is that of all ranks' values, and the call is collective; with MPI_COMM_NULL it
// is that of `values`.
[[nodiscard]] std::optional<double> absolute_bound(const settings::Settings& settings,
                                                   codec::ElementType type,
                                                   std::span<const std::byte> values,
                                                   MPI_Comm comm);

// Of a relative bound, where the range of all ranks' values is known: `own` of these alone.
[[nodiscard]] std::optional<double> bound_within(const settings::ErrorBound& bound,
                                                 codec::ElementType type,
                                                 std::span<const std::byte> values,
                                                 const codec::ValueRange& own,
                                                 const codec::ValueRange& range);

// Exact codecs that do not support `type` are replaced by one that does.
[[nodiscard]] codec::Encoding encoding_for(const settings::Settings& settings, codec::Id codec,
                                           codec::ElementType type, double error_bound);

}  // namespace tightwire::mpi
