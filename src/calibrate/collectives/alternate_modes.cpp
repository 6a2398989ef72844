#include "calibrate/collectives/alternate_modes.h"

#include "calibrate/measure/world.h"

namespace tightwire::calibrate {

std::vector<Measurement> alternate(std::span<const Mode> modes, const Point& point,
                                   Buffers& buffers, const Effort& effort) {
  std::vector<Contender> contenders;
  for (const Mode& mode : modes) {
    contenders.push_back({[&mode] { static_cast<void>(apply(mode)); },
                          [&, rank = world_rank()] {
                            run(point.collective, functions_of(mode), buffers, point.count, rank);
                          }});
  }
  return alternate(contenders, point.count * sizeof(float), effort);
}

}  // namespace tightwire::calibrate
