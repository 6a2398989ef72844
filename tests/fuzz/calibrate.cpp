// Any words as the arguments of tightwire calibrate: those for the command, then those for the
// program that measures.
#include <cmath>

#include "calibrate/options.h"
#include "cli/options.h"
#include "input.h"
#include "settings/text.h"
#include "words.h"

namespace {

using namespace tightwire;
using calibrate::CalibrateOptions;
using fuzz::require;

void check(const CalibrateOptions& options) {
  const std::vector<std::uint64_t> sizes = options.sizes();
  require(!sizes.empty() && sizes.front() == options.smallest && sizes.back() == options.largest,
          "sizes go from the smallest to the largest");
  require(sizes.front() >= sizeof(float), "a message has values");
  require(!options.collectives.empty() && !options.data.empty(), "there is something to measure");
  require(std::isfinite(options.seconds) && options.seconds > 0, "measuring ends");
  settings::ErrorBound bound;
  require(!settings::parse(options.error_bound, bound) && bound.given(), "there is a bound");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cli::Arguments words = fuzz::words_of(data, size);
  const std::size_t before = words.size();
  const bool taken = cli::take_mpi(words).has_value();
  require(words.size() + (taken ? 2 : 0) >= before && words.size() <= before,
          "only --mpi and its value are taken");
  std::vector<const char*> pointers{"tightwire calibrate"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  const auto outcome =
      calibrate::parse_calibrate_options(static_cast<int>(pointers.size()), pointers.data());
  if (const auto* notice = std::get_if<calibrate::Notice>(&outcome)) {
    require(!notice->text.empty(), "a refusal says why");
    require(notice->exit_code == 0 || notice->exit_code == calibrate::bad_usage,
            "a known exit code");
  } else {
    check(std::get<CalibrateOptions>(outcome));
  }
  return 0;
}
