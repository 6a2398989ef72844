// By which codec a collective's values go, as a sample of them says and what came of such values
// before, by the place of their buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/encoding.h"
#include "policy/message.h"
#include "settings/settings.h"

namespace tightwire::mpi {

// Of EstimateMemory. Places in memory are others at each run.
[[nodiscard]] std::uint32_t uses_of_estimates();

// Tells the encoding what a sample of the values shows of them, from memory for a buffer seen
// before; returns the ratio that it promises. Values too few to repay the look are left alone.
double look_at(std::span<const std::byte> values, codec::Encoding& encoding);

// What a sample says of those: by which the values go the quickest, nothing where none is quicker
// than to send them as they are; what that promises, and what the planned one does.
struct SampleChoice {
  std::optional<codec::Encoding> encoding;
  double ratio = 1;
  double planned_ratio = 1;
};
// Whether ranks look together at such values now and then, and say so by look_anew() where they
// take to compressing them.
enum class Reviewed : bool { no, yes };
// By what a way is chosen. This machine's speeds count where the core that encodes has as much to
// decode.
struct ChoiceFacts {
  policy::MessageFacts by;                      // the quickest by these,
  std::optional<policy::MessageFacts> else_by;  // where none is quicker by them, by these;
  std::optional<policy::MessageFacts> only_if;  // and only where any is quicker by these
};
// Tells the planned encoding what look_at() does.
[[nodiscard]] SampleChoice choose_by_sample(std::span<const std::byte> values,
                                            const settings::Settings& settings,
                                            const ChoiceFacts& facts, codec::Encoding& planned,
                                            Reviewed reviewed);
// Where it takes long to find out the bound: what the planned one does by an estimate for an
// earlier bound, if by that none is quicker. It says so for as long as an estimate is believed.
[[nodiscard]] std::optional<double> ratio_known_to_go_raw(std::span<const std::byte> values,
                                                          const ChoiceFacts& facts,
                                                          const codec::Encoding& planned,
                                                          Reviewed reviewed);
// What such values, of which this thread has looked at a sample, were encoded to, and how long that
// took, as of EstimateMemory::Outcome: it counts more than what the sample promised, and for as
// long as it stays so none is looked at.
void came_to(std::span<const std::byte> values, const codec::Encoding& encoding,
             std::size_t encoded_size, double seconds);
// What this thread has seen of reviewed values is old.
void look_anew();

// Size of frames / size of values that a sample of them promises, looked at anew; by the best of
// the codecs.
[[nodiscard]] double promised_fraction(std::span<const std::byte> values,
                                       const codec::Encoding& encoding,
                                       std::span<const codec::Id> codecs);

}  // namespace tightwire::mpi
