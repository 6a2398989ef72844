// bench-early-codecs: how far and how fast the codecs of the benchmark compress and expand 1 MiB of
// floats, over the percentage of equal values. Prints CSV: codec, equal_percent, ratio,
// compress_mbs, expand_mbs (MB of values a second, the best of some).
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "calibrate/measure/timing.h"
#include "codec/codec.h"
#include "support/measure.h"
#include "values.h"

namespace {

using namespace tightwire;

struct Contender {
  const char* name;
  codec::Id id;
  codec::Parameters parameters;
};

std::vector<Contender> contenders() {
  Contender lz4_hc{"lz4-hc", codec::Id::lz4, {}};
  lz4_hc.parameters.lz4_search = codec::Lz4Search::thorough;
  Contender exact_entropy{"exact+entropy", codec::Id::exact, {}};
  exact_entropy.parameters.second_stage = codec::SecondStage::entropy;
  return {{"lz4", codec::Id::lz4, {}}, lz4_hc, {"exact", codec::Id::exact, {}}, exact_entropy};
}

template <class Work>
double best_seconds(const Work& work) {
  constexpr int repeats = 7;
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) best = std::min(best, bench::seconds_of(work));
  return best;
}

void measure(const Contender& contender, unsigned percent) {
  constexpr int count = 1 << 18;
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = bench::value(1, i, percent);
  const auto bytes = std::as_bytes(std::span(values));
  const codec::Codec& codec = *codec::find(contender.id);
  constexpr auto type = codec::ElementType::float32;
  std::vector<std::byte> room(codec.max_encoded_size(type, values.size()));
  std::vector<float> decoded(values.size());
  codec::Result encoded;
  const double compress =
      best_seconds([&] { encoded = codec.encode(type, bytes, contender.parameters, room); });
  const auto payload = std::span<const std::byte>(room).first(encoded.size);
  bool good = encoded.ok();
  const double expand = best_seconds([&] {
    good = good && codec.decode(type, payload, std::as_writable_bytes(std::span(decoded))).ok();
  });
  if (!good || decoded != values) {
    std::fprintf(stderr, "bench-early-codecs: %s does not give back the values\n", contender.name);
    std::exit(1);
  }
  const auto size = static_cast<double>(bytes.size());
  std::printf("%s,%u,%.3f,%.1f,%.1f\n", contender.name, percent,
              size / static_cast<double>(encoded.size), 1e-6 * size / compress,
              1e-6 * size / expand);
}

}  // namespace

int main() {
  std::printf("codec,equal_percent,ratio,compress_mbs,expand_mbs\n");
  for (const Contender& contender : contenders()) {
    for (unsigned percent = 0; percent <= 100; percent += 10) measure(contender, percent);
  }
}
