#include "history/offered_references.h"

#include <functional>
#include <vector>

namespace tightwire::history {
namespace {

// By `bytes_of` each reference.
template <class BytesOf>
codec::HistoryPromise promise_with(codec::ElementType type, std::span<const std::byte> values,
                                   codec::Parameters parameters, const OfferedReferences& offered,
                                   BytesOf bytes_of) {
  std::array<std::span<const std::byte>, codec::most_references> parts;
  for (std::size_t k = 0; k < offered.size; ++k) parts[k] = bytes_of(*offered.references[k]);
  parameters.references = std::span(parts).first(offered.size);
  return codec::promise_of_history(type, values, parameters);
}

}  // namespace

codec::HistoryPromise promise_of(codec::ElementType type, std::span<const std::byte> values,
                                 const codec::Parameters& parameters,
                                 const OfferedReferences& offered) {
  return promise_with(type, values, parameters, offered, std::mem_fn(&Copy::bytes));
}

codec::HistoryPromise promise_of_watched(codec::ElementType type, const Watched& watched,
                                         const codec::Parameters& parameters,
                                         const OfferedReferences& offered) {
  std::vector<Watched> excerpts;
  excerpts.reserve(offered.size);  // they stay where they are
  return promise_with(type, watched.bytes(), parameters, offered, [&](const Copy& reference) {
    return excerpts.emplace_back(reference.bytes()).bytes();
  });
}

}  // namespace tightwire::history
