#include "cli/file/history/earlier_messages.h"

#include <utility>

#include "codec/history/promise.h"
#include "history/search.h"

namespace tightwire::cli {
namespace {

constexpr std::size_t most_kept = history::most_spacing * codec::most_references;

}  // namespace

std::vector<std::span<const std::byte>> EarlierMessages::at(std::size_t spacing) const {
  std::vector<std::span<const std::byte>> found;
  for (std::size_t back = spacing - 1; back < all_.size(); back += spacing) {
    if (found.size() == codec::most_references) break;
    found.push_back(all_[back]);
  }
  return found;
}

std::vector<std::span<const std::byte>> EarlierMessages::best_for(
    codec::ElementType type, std::span<const std::byte> values,
    codec::Parameters parameters) const {
  std::vector<std::span<const std::byte>> best;
  double best_gain = history::least_gain;
  for (std::size_t spacing = 1; spacing <= history::most_spacing; ++spacing) {
    std::vector<std::span<const std::byte>> references = at(spacing);
    parameters.references = references;
    const codec::HistoryPromise promise = promise_of_history(type, values, parameters);
    const double gain = history::gain_of(promise);
    if (gain < best_gain) continue;
    best_gain = gain;
    references.resize(promise.order);
    best = std::move(references);
  }
  return best;
}

void EarlierMessages::add(std::span<const std::byte> values) {
  all_.push_front(values);
  if (all_.size() > most_kept) all_.pop_back();
}

void EarlierMessages::add(std::vector<std::byte> values) {
  owned_.push_front(std::move(values));
  add(std::span<const std::byte>(owned_.front()));
  if (owned_.size() > most_kept) owned_.pop_back();
}

}  // namespace tightwire::cli
