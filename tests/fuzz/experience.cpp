// Any bytes as a file of what jobs learned: a fault in words, or experience that can be written
// down and read again.
#include <string>
#include <string_view>

#include "experience/json.h"
#include "input.h"

namespace {

using tightwire::experience::Experience;
using tightwire::fuzz::require;

void check(const Experience& experience) {
  std::string fault;
  const auto again = tightwire::experience::read_json(as_json(experience, "1"), fault);
  require(again.has_value(), "what is written can be read");
  require(again->calls == experience.calls && again->uneven_calls == experience.uneven_calls &&
              again->messages == experience.messages,
          "what is written is what was meant");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string fault;
  const auto experience = tightwire::experience::read_json(text, fault);
  require(experience.has_value() == fault.empty(), "what is not read has a fault");
  if (experience) check(*experience);
  return 0;
}
