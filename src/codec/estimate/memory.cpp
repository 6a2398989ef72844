#include "codec/estimate/memory.h"

#include <algorithm>
#include <cmath>

namespace tightwire::codec {
namespace {

// How much of a new observation enters the remembered ratio.
constexpr double follow = 0.25;

void follow_time(Prediction& prediction, double seconds) {
  if (prediction.observed < EstimateMemory::first_timed) return;
  if (!(prediction.encode_seconds > 0)) return;
  constexpr double most = 32;  // more tells of something else
  const double now = std::clamp(seconds / prediction.encode_seconds, 1 / most, most);
  double& known = prediction.times_as_long;
  known = known == 0 ? now : known + follow * (now - known);
}

}  // namespace

EstimateMemory::Key EstimateMemory::key_of(ElementType type, const Name& name,
                                           const Parameters& parameters) const {
  const double bound = parameters.error_bound;
  const bool bounded = std::isfinite(bound) && bound > 0;
  // The lowest is -1074 bits; an offset keeps all apart from none.
  const int step = bounded ? static_cast<int>(std::lround(std::log2(bound) * bounds_)) + 20'000 : 0;
  return {name, type, step};
}

EstimateMemory::Entry* EstimateMemory::find(const Key& key) {
  if (made_ == 0) return nullptr;
  if (table_[found_].used && table_[found_].key == key) return &table_[found_];
  for (Entry& entry : table_) {
    if (!entry.used || entry.key != key) continue;
    found_ = static_cast<std::size_t>(&entry - table_.data());
    return &entry;
  }
  return nullptr;
}

EstimateMemory::Entry& EstimateMemory::least_recently_used() {
  return *std::ranges::min_element(
      table_, {}, [](const Entry& entry) { return entry.used ? entry.last_use : 0; });
}

const Estimate& EstimateMemory::get(ElementType type, std::span<const std::byte> values,
                                    const Parameters& parameters, std::span<const Id> codecs) {
  return get(type, name_of(values), parameters, codecs, [&] { return values; });
}

const Estimate& EstimateMemory::get(ElementType type, const Name& name,
                                    const Parameters& parameters, std::span<const Id> codecs,
                                    const std::function<std::span<const std::byte>()>& read) {
  const Key key = key_of(type, name, parameters);
  Entry* entry = find(key);
  if (entry == nullptr) {
    entry = &least_recently_used();
    *entry = {};
    entry->key = key;
    entry->used = true;
  }
  entry->last_use = ++clock_;
  const bool complete = std::ranges::all_of(codecs, [&](Id codec) {
    return entry->estimate.of(codec) != nullptr || !predictable_for(codec, type, parameters);
  });
  if (is_worn_out(*entry) || !complete) {
    entry->estimate = estimate(type, read(), parameters, codecs);
    entry->uses_left = uses_.in_all;
    entry->unobserved_left = uses_.unobserved;
    ++made_;
  }
  use(*entry);
  entry->unseen = 0;
  return entry->estimate;
}

const Estimate* EstimateMemory::latest(ElementType type, const Name& name,
                                       const std::function<bool(const Estimate&)>& is_enough) {
  Entry* last = nullptr;
  for (Entry& entry : table_) {
    const bool is_alike = entry.used && entry.key.type == type && entry.key.name == name;
    if (is_alike && (last == nullptr || entry.last_use > last->last_use)) last = &entry;
  }
  if (last == nullptr || is_worn_out(*last) || last->unseen == uses_without_bound) return nullptr;
  if (!is_enough(last->estimate)) return nullptr;
  ++last->unseen;
  last->last_use = ++clock_;
  use(*last);
  return &last->estimate;
}

void EstimateMemory::forget() {
  for (Entry& entry : table_) entry.uses_left = 0;
}

void EstimateMemory::observe(ElementType type, const Name& name, const Parameters& parameters,
                             const Outcome& outcome) {
  Entry* const entry = find(key_of(type, name, parameters));
  if (entry == nullptr || outcome.encoded_size == 0) return;
  for (Prediction& prediction : entry->estimate.all()) {
    if (prediction.codec != outcome.codec || prediction.second_stage != outcome.stage) continue;
    const double ratio = static_cast<double>(name.size) / static_cast<double>(outcome.encoded_size);
    const double change = ratio / prediction.ratio;
    const bool is_first = prediction.observed++ == 0;
    const bool drifts = !is_first && (change > drift || change < 1 / drift);
    prediction.ratio += (is_first || drifts ? 1 : follow) * (ratio - prediction.ratio);
    if (drifts) {
      // At once where an estimate is believed for long by itself. Elsewhere a look at each of some
      // messages that differ would take longer than they do.
      const std::uint32_t most = uses_.unobserved == uses_.in_all ? 0 : uses_.unobserved;
      entry->uses_left = std::min(entry->uses_left, most);
    } else {
      entry->unobserved_left = uses_.unobserved;
    }
    predict_times(type, name.size, prediction);
    if (outcome.seconds > 0) follow_time(prediction, outcome.seconds);
  }
}

}  // namespace tightwire::codec
