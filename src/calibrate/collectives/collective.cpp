#include "calibrate/collectives/collective.h"

namespace tightwire::calibrate {

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::allreduce:
      return "allreduce";
    case Collective::reduce:
      return "reduce";
    case Collective::bcast:
      return "bcast";
  }
  return "?";
}

std::optional<Collective> collective_named(std::string_view name) {
  for (const Collective collective : all_collectives) {
    if (name == name_of(collective)) return collective;
  }
  return std::nullopt;
}

}  // namespace tightwire::calibrate
