#include "scale/job/frames.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/runtime.h"
#include "settings/text.h"

namespace tightwire::scale {

Frames frames_since(const Frames& before, policy::Operation operation) {
  Frames now;
  for (const runtime::Row& row : runtime::current().statistics.rows()) {
    if (row.operation != operation) continue;
    now.sent += row.bytes_after;
    if (row.plan.tier == policy::Tier::raw) continue;
    now.calls[row.plan.algorithm] += row.calls;
    now.codec = row.plan.codec;
  }
  for (const auto& [algorithm, calls] : now.calls) {
    const auto known = before.calls.find(algorithm);
    if (known == before.calls.end() || known->second < calls) {
      now.algorithm = settings::print(algorithm);
    }
  }
  if (now.algorithm == "plain") now.codec = codec::Id::raw;
  return now;
}

policy::Operation ours(std::string name) {
  std::ranges::replace(name, '_', '-');
  policy::Operation operation{};
  if (settings::parse(name, operation)) throw std::runtime_error("no such operation: " + name);
  return operation;
}

}  // namespace tightwire::scale
