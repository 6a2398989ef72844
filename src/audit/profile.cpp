#include "audit/profile.h"

#include <algorithm>
#include <bit>

namespace tightwire::audit {

std::string name_of_choice(std::size_t choice) {
  if (is_exact(choice)) return choice == 0 ? "exact" : "exact+entropy";
  const std::size_t digits = (choice - exact_choices) % bounds.size() + 2;
  return (is_relative(choice) ? "rel:1e-" : "1e-") + std::to_string(digits);
}

unsigned size_class_of(std::uint64_t bytes) {
  return static_cast<unsigned>(std::bit_width(bytes));
}

Tried Tried::of(std::size_t values, std::size_t encoded) {
  Tried tried;
  tried.values = static_cast<double>(values);
  tried.encoded = static_cast<double>(std::min(encoded, values));
  tried.least = tried.most = tried.ratio();
  return tried;
}

void Tried::add(const Tried& other) {
  if (other.values == 0) return;
  values += other.values;
  encoded += other.encoded;
  least = std::min(least, other.least);
  most = std::max(most, other.most);
  largest_error = std::max(largest_error, other.largest_error);
  psnr = std::min(psnr, other.psnr);
}

void Samples::add(const Samples& other) {
  count += other.count;
  values += other.values;
  fill_values += other.fill_values;
  for (std::size_t i = 0; i < tried.size(); ++i) tried[i].add(other.tried[i]);
  for (std::size_t i = 0; i < in_time.size(); ++i) in_time[i].add(other.in_time[i]);
}

void Figures::add(const Figures& other) {
  calls += other.calls;
  bytes += other.bytes;
  seconds += other.seconds;
  channels += other.channels;
  samples.add(other.samples);
}

}  // namespace tightwire::audit
