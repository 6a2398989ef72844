// The optional C API of include/tightwire.h.
#include <cstring>
#include <optional>
#include <string>

#include "runtime/runtime.h"
#include "tightwire.h"

using namespace tightwire;

extern "C" {

[[gnu::visibility("default")]] int tightwire_set(const char* key, const char* value) {
  if (!runtime::active()) return TIGHTWIRE_NOT_ACTIVE;
  if (key == nullptr || value == nullptr) return TIGHTWIRE_BAD_SETTING;
  const auto problem = settings::assign(runtime::current().settings, key, value, "tightwire_set()");
  if (problem) return TIGHTWIRE_BAD_SETTING;
  runtime::settings_changed();
  return TIGHTWIRE_OK;
}

[[gnu::visibility("default")]] int tightwire_get(const char* key, char* value, size_t capacity) {
  if (!runtime::active()) return TIGHTWIRE_NOT_ACTIVE;
  if (key == nullptr || value == nullptr) return TIGHTWIRE_BAD_SETTING;
  const std::optional<std::string> text = settings::value_of(runtime::current().settings, key);
  if (!text || text->size() >= capacity) return TIGHTWIRE_BAD_SETTING;
  std::memcpy(value, text->c_str(), text->size() + 1);
  return TIGHTWIRE_OK;
}

[[gnu::visibility("default")]] int tightwire_get_statistics(tightwire_statistics* statistics) {
  if (!runtime::active()) return TIGHTWIRE_NOT_ACTIVE;
  *statistics = {};
  for (const runtime::Row& row : runtime::current().statistics.rows()) {
    if (row.plan.tier == policy::Tier::raw) {
      statistics->passed_calls += row.calls;
      continue;
    }
    statistics->calls += row.calls;
    statistics->bytes_before += row.bytes_before;
    statistics->bytes_after += row.bytes_after;
    statistics->seconds += row.seconds;
  }
  return TIGHTWIRE_OK;
}

}  // extern "C"
