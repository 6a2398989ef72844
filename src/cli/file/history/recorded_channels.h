// What the codecs would make of recorded messages, channel by channel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "recording/reader.h"

namespace tightwire::cli {

// Messages of one kind between the same two ranks.
struct Channel {
  std::string function;
  std::uint32_t communicator = 0;
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  codec::ElementType type{};

  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t exact = 0;    // bytes that `exact` makes of them
  std::uint64_t bounded = 0;  // the better one of `bounded` and `exact`; as exact without a bound
  // The same where earlier messages of the channel are at hand to predict from.
  std::uint64_t exact_in_time = 0;
  std::uint64_t bounded_in_time = 0;
};

// What is asked of the codecs for such values; the error bound is absolute, or 0.
using ParametersOf =
    std::function<codec::Parameters(codec::ElementType, std::span<const std::byte>)>;

// The largest channels first. Throws std::bad_alloc.
[[nodiscard]] std::vector<Channel> channels_of(recording::Reader& recording,
                                               const ParametersOf& parameters_of);

// All in one.
[[nodiscard]] Channel total_of(const std::vector<Channel>& channels);

// For people: a table of the `most` largest and of all together, each line ending in a newline.
[[nodiscard]] std::string describe(const std::vector<Channel>& channels, std::size_t most,
                                   bool with_bound);

}  // namespace tightwire::cli
