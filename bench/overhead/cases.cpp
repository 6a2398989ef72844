#include "cases.h"

#include <utility>

namespace overhead {
namespace {

class Simple final : public Sequence {
 public:
  Simple(const Place& place, void (*call)(const Place&, Memory&)) : Sequence(place), call_(call) {}
  void once() override { call_(at_, memory_); }

 private:
  void (*call_)(const Place&, Memory&);
  Memory memory_;
};

}  // namespace

Case simple(std::string calls, void (*once)(const Place&, Memory&)) {
  return {std::move(calls), false, true,
          [once](const Place& place) { return std::make_unique<Simple>(place, once); }};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_blocking(cases);
  add_requests(cases);
  add_persistent(cases);
  add_polls(cases);
  add_collectives(cases);
  add_neighbours(cases);
  add_started_collectives(cases);
  add_persistent_collectives(cases);
  add_one_sided(cases);
  return cases;
}

}  // namespace overhead
