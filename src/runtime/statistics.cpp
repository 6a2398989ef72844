#include "runtime/statistics.h"

#include <algorithm>

namespace tightwire::runtime {

void Statistics::count_predicted(std::uint64_t bytes_before, std::uint64_t bytes_after,
                                 double ratio_alone) {
  const std::scoped_lock lock(mutex_);
  ++predicted_.messages;
  predicted_.bytes_before += bytes_before;
  predicted_.bytes_after += bytes_after;
  predicted_.bytes_alone +=
      static_cast<std::uint64_t>(static_cast<double>(bytes_before) / ratio_alone);
}

void Statistics::count_kept(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  predicted_.kept_bytes = std::max(predicted_.kept_bytes, bytes);
}

Predicted Statistics::predicted() const {
  const std::scoped_lock lock(mutex_);
  return predicted_;
}

void Statistics::add(const Row& call) {
  const std::scoped_lock lock(mutex_);
  const policy::Plan& plan = call.plan;
  const bool raw = plan.tier == policy::Tier::raw;
  const policy::Reason why = raw ? plan.why : policy::Reason::none;
  Row& row = rows_[Key{call.operation, plan.tier, why, plan.codec, plan.pipelined, plan.algorithm}];
  row.operation = call.operation;
  row.plan = plan;
  row.calls += call.calls;
  row.message_bytes += call.message_bytes;
  row.bytes_before += call.bytes_before;
  row.bytes_after += call.bytes_after;
  row.seconds += call.seconds;
  row.largest_bound = std::max(row.largest_bound, call.largest_bound);
  row.split.add(call.split);
}

std::vector<Row> Statistics::rows() const {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    Row row{};
    row.operation = static_cast<policy::Operation>(i / policy::reason_count);
    row.plan.why = static_cast<policy::Reason>(i % policy::reason_count);
    row.calls = passed_[i].calls.load(std::memory_order_relaxed);
    row.message_bytes = passed_[i].bytes.load(std::memory_order_relaxed);
    row.seconds =
        1e-9 * static_cast<double>(passed_[i].nanoseconds.load(std::memory_order_relaxed));
    if (row.calls > 0) rows.push_back(row);
  }
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, row] : rows_) rows.push_back(row);
  return rows;
}

}  // namespace tightwire::runtime
