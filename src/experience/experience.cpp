#include "experience/experience.h"

namespace tightwire::experience {
namespace {

template <typename Map>
void add(Map& known, const Map& later) {
  for (const auto& [key, value] : later) {
    if (known.size() < most_kinds || known.contains(key)) known.insert_or_assign(key, value);
  }
}

}  // namespace

void add(Experience& known, const Experience& later) {
  if (later.network.known()) known.network = later.network;
  add(known.calls, later.calls);
  add(known.uneven_calls, later.uneven_calls);
  add(known.messages, later.messages);
}

}  // namespace tightwire::experience
