// Whether messages may be predicted from earlier ones in this job.
#pragma once

#include <algorithm>

#include "runtime/runtime.h"

namespace tightwire::runtime {

// By the job's settings or a rule of it: then all ranks are ready for it.
[[nodiscard]] inline bool any_call_remembers(const Runtime& runtime) {
  const auto has_history = [&](const settings::Rule& rule) {
    return settings::with(runtime.settings, rule.overrides).history != settings::History::off;
  };
  return has_history({}) || std::ranges::any_of(runtime.rules, has_history);
}

}  // namespace tightwire::runtime
