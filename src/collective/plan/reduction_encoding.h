// How a reduction's values are encoded: the user's bound, divided over the encodings of all ranks.
#pragma once

#include <optional>

#include "codec/encoding.h"
#include "collective/plan/decision/decide.h"
#include "collective/plan/reduction.h"
#include "mpi/communicator/communicator.h"
#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::collective {

struct ReductionEncoding {
  codec::Encoding encoding;
  double bound_of_result = 0;  // 0: exact
};

// `encodings`: how many a codec that can't add them makes for one value of the result, by all
// ranks. Collective over the communicator where the bound is relative to the value range.
// Throws MpiError.
[[nodiscard]] ReductionEncoding encoding_of(const Reduction& reduction, const policy::Plan& plan,
                                            const settings::Settings& settings,
                                            const mpi::Communicator& communicator, int encodings);
// The same within a bound that is known already; without one, exactly.
[[nodiscard]] ReductionEncoding encoding_within(
    std::optional<double> bound, const Reduction& reduction, const policy::Plan& plan,
    const settings::Settings& settings, const mpi::Communicator& communicator, int encodings);

// What this rank's values tell of the call.
[[nodiscard]] Sampled sampled_of(const Reduction& reduction, const policy::Plan& plan,
                                 const settings::Settings& settings,
                                 const mpi::Communicator& communicator);

}  // namespace tightwire::collective
