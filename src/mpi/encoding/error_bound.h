// The user's error bound, made absolute, and the codec parameters that follow from the settings.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>

#include "codec/encoding.h"
#include "codec/estimate/value_range.h"
#include "policy/choose.h"
#include "policy/message.h"

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
