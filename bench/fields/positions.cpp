// Positions of tracer particles in a box, carried by the Arnold-Beltrami-Childress flow (midpoint
// rule). Unsorted: x, y and z of every particle in the order of their release. Sorted: x alone, as
// a code that keeps its particles in spatial order sends it.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

using Point = std::array<double, 3>;

Point velocity(const Point& p) {
  constexpr double a = 1.7320508075688772;  // the usual strengths: roots of 3, 2 and 1
  constexpr double b = 1.4142135623730951;
  constexpr double c = 1;
  return {a * std::sin(p[2]) + c * std::cos(p[1]), b * std::sin(p[0]) + a * std::cos(p[2]),
          c * std::sin(p[1]) + b * std::cos(p[0])};
}

Point moved(const Point& from, const Point& speed, double time) {
  return {from[0] + time * speed[0], from[1] + time * speed[1], from[2] + time * speed[2]};
}

Point carried(Point point) {
  constexpr double time_step = 0.1;
  constexpr int steps = 6;
  for (int i = 0; i < steps; ++i) {
    const Point middle = moved(point, velocity(point), time_step / 2);
    point = moved(point, velocity(middle), time_step);
  }
  constexpr double box = 2 * std::numbers::pi;
  for (double& x : point) x -= box * std::floor(x / box);
  return point;
}

class Particles {
 public:
  Point next() {
    std::uniform_real_distribution<double> place(0, 2 * std::numbers::pi);
    const double x = place(random_);
    const double y = place(random_);
    return carried({x, y, place(random_)});
  }

 private:
  std::mt19937_64 random_{1965};
};

}  // namespace

Field sorted_positions(std::size_t bytes) {
  std::vector<double> values(bytes / sizeof(double));
  Particles particles;
  for (double& value : values) value = particles.next()[0];
  std::ranges::sort(values);
  return field_of("sorted_positions", {values.size()}, values);
}

Field unsorted_positions(std::size_t bytes) {
  std::vector<double> values(bytes / sizeof(double));
  Particles particles;
  Point point{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 3 == 0) point = particles.next();
    values[i] = point[i % 3];
  }
  return field_of("unsorted_positions", {values.size()}, values);
}

}  // namespace tightwire::fields
