#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "comparison/baselines/ccoll.h"
#include "comparison/baselines/cprp2p.h"
#include "comparison/best_algorithm.h"
#include "comparison/method_names.h"
#include "comparison/mpi_method.h"

namespace tightwire::comparison {
namespace {

using Maker = std::function<std::unique_ptr<Method>(std::string name, const Choice& choice)>;

std::string exactly(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

Maker tightwire(const std::string& bound_applies_to) {
  return [bound_applies_to](std::string name, const Choice& choice) {
    return std::make_unique<Tightwire>(std::move(name), exactly(choice.error_bound),
                                       bound_applies_to);
  };
}

// Beside each name of method_names.h.
const Maker makers[] = {
    [](auto name, auto&) { return std::make_unique<PlainMpi>(std::move(name)); },
    [](auto name, auto&) { return std::make_unique<BestAlgorithm>(std::move(name)); },
    [](auto name, auto& choice) {
      return std::make_unique<Cprp2p>(std::move(name), bounded_coder(choice.error_bound));
    },
    [](auto name, auto& choice) {
      return std::make_unique<Cprp2p>(std::move(name), zfp_rate_coder(choice.zfp_rate));
    },
    [](auto name, auto& choice) {
      return std::make_unique<Cprp2p>(std::move(name), zfp_accuracy_coder(choice.error_bound));
    },
    [](auto name, auto& choice) {
      return std::make_unique<Ccoll>(std::move(name), bounded_coder(choice.error_bound));
    },
    [](auto name, auto& choice) {
      return std::make_unique<Ccoll>(std::move(name), szp_coder(choice.error_bound));
    },
    [](auto name, auto& choice) {
      return std::make_unique<Ccoll>(std::move(name), szx_coder(choice.error_bound));
    },
    tightwire("contribution"),
    tightwire("result"),
};
static_assert(std::size(makers) == std::size(method_names));

}  // namespace

std::vector<std::unique_ptr<Method>> make_methods(const std::vector<std::string>& names,
                                                  const Choice& choice) {
  std::vector<std::unique_ptr<Method>> methods;
  for (std::size_t i = 0; i < std::size(makers); ++i) {
    const std::string name(method_names[i]);
    if (i == 0 || std::ranges::find(names, name) != names.end()) {
      methods.push_back(makers[i](name, choice));
    }
  }
  return methods;
}

}  // namespace tightwire::comparison
