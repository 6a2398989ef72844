#include "policy/budget.h"

#include <cmath>

namespace tightwire::policy {
namespace {

// Rounded towards zero, so that `ranks` times the share never exceeds the whole.
double share(double bound, std::uint32_t ranks) {
  const double part = bound / ranks;
  return std::fma(part, ranks, -bound) > 0 ? std::nextafter(part, 0.0) : part;
}

}  // namespace

Budget grid_sum(double bound, std::uint32_t terms, settings::BoundAppliesTo applies) {
  const bool divide = applies == settings::BoundAppliesTo::result;
  return {divide ? share(bound, terms) : bound, terms};
}

Budget grid_extremum(double bound) {
  return {bound, 1};
}

Budget recompressed(double bound, std::uint32_t ranks, bool sum, settings::BoundAppliesTo applies) {
  const bool whole = sum && applies == settings::BoundAppliesTo::contribution;
  return {whole ? bound : share(bound, ranks), 1};
}

}  // namespace tightwire::policy
