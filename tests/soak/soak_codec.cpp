// soak_codec: random bounds and adversarial values through every codec, for as long as one likes.
// Counts the values; the first one that is not what the codec promised ends it with exit code 1.
#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../codec/promise.h"
#include "codec/codec.h"
#include "ranges.h"
#include "records.h"
#include "reductions.h"

namespace tightwire::soak {
namespace {

using Clock = std::chrono::steady_clock;

struct Tally {
  std::atomic<std::uint64_t> values{0};
  std::atomic<double> worst{0};  // error over bound

  void add(std::uint64_t count, double error) {
    values += count;
    double known = worst;
    while (error > known && !worst.compare_exchange_weak(known, error)) {
    }
  }
};

struct Run {
  std::uint64_t first_seed = 1;
  std::uint64_t last_values = 0;  // stop after so many
  Clock::time_point end;
  std::atomic<std::uint64_t> next_seed{0};
  std::atomic<std::uint64_t> values{0};
  std::atomic<std::uint64_t> reduced{0};  // of them
  std::atomic<bool> stop{false};
  std::mutex printing;
  std::array<Tally, 256> tallies;  // by codec::Id
};

// Mostly our own codecs; the others are slow.
const codec::Codec& any_codec(Random& random) {
  const auto& codecs = codec::all();
  const std::uint64_t choice = random.below(1000);
  const codec::Codec* codec = codec::find(choice < 850 ? codec::Id::bounded : codec::Id::exact);
  return choice < 990 && codec != nullptr ? *codec : *codecs[random.below(codecs.size())];
}

struct Case {
  std::uint64_t seed;
  const codec::Codec& codec;
  codec::Parameters parameters;
  const char* distribution;
};

template <class T>
void report(Run& run, const Case& which, const std::string& what) {
  const std::lock_guard lock(run.printing);
  if (run.stop.exchange(true)) return;
  std::fprintf(stderr, "\nseed %llu, codec %s, float%zu, bound %.17g, %s: %s\n",
               static_cast<unsigned long long>(which.seed), std::string(which.codec.name()).c_str(),
               8 * sizeof(T), which.parameters.error_bound, which.distribution, what.c_str());
}

// What is promised of other encodings than those of `bounded` that are alone.
template <class T>
class Strict {
 public:
  Strict(const codec::Codec& codec, double bound) : lossy_(codec.lossy()), bound_(bound) {}

  [[nodiscard]] const char* broken_by(T original, T decoded) const {
    using Bits = codec::BitsOf<T>;
    if (std::bit_cast<Bits>(original) == std::bit_cast<Bits>(decoded)) return nullptr;
    if (!lossy_) return "an exact codec is exact";
    return codec::honours_bound(original, decoded, bound_) ? nullptr : "the bound holds";
  }

 private:
  bool lossy_;
  double bound_;
};

// The worst error over the bound; reports the first value that is wrong.
template <class T, class Promised>
double check(Run& run, const Case& which, const Promised& promise, std::span<const T> values,
             std::span<const T> decoded) {
  const double bound = which.parameters.error_bound;
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const char* const broken = promise.broken_by(values[i], decoded[i])) {
      char text[240];
      std::snprintf(text, sizeof text, "value %zu of %zu, %.17g (%a), became %.17g (%a), but %s", i,
                    values.size(), static_cast<double>(values[i]), static_cast<double>(values[i]),
                    static_cast<double>(decoded[i]), static_cast<double>(decoded[i]), broken);
      report<T>(run, which, text);
      return worst;
    }
    const double error = std::abs(static_cast<double>(values[i]) - static_cast<double>(decoded[i]));
    if (error > 0) worst = std::max(worst, error / bound);  // no infinities, no NaN
  }
  return worst;
}

template <class T>
class Worker {
 public:
  void run_case(Run& run, std::uint64_t seed) {
    Random random(seed);
    const auto& distribution = distributions<T>[random.below(distributions<T>.size())];
    Case which{seed, any_codec(random), {}, distribution.name};
    choose(which.parameters, random);
    values_.resize(1 + random.below(random.below(8) == 0 ? 100 : most_values));
    distribution.fill(values_, which.parameters.error_bound, random);
    if (which.codec.id() == codec::Id::bounded && random.below(8) == 0) {
      return reduce(run, which, random);
    }
    if (random.below(8) == 0) {
      if (const char* const broken = broken_range<T>(values_)) return report<T>(run, which, broken);
    }
    refer(which.parameters, random);

    decoded_.assign(values_.size(), T{-7});
    encoded_.resize(which.codec.max_encoded_size(type, values_.size()));
    const codec::Result coded =
        which.codec.encode(type, std::as_bytes(std::span(values_)), which.parameters, encoded_);
    if (!coded.ok()) return report<T>(run, which, "encode: " + why(coded));
    const codec::Result result = which.codec.decode_with(
        type, std::span(encoded_).first(coded.size), which.parameters.references,
        std::as_writable_bytes(std::span(decoded_)));
    if (!result.ok()) return report<T>(run, which, "decode: " + why(result));
    const double worst = check_all(run, which);
    run.tallies[static_cast<std::uint8_t>(which.codec.id())].add(values_.size(), worst);
    run.values += values_.size();
  }

 private:
  static constexpr std::size_t most_values = std::size_t{1} << 17;
  static constexpr auto type =
      sizeof(T) == 4 ? codec::ElementType::float32 : codec::ElementType::float64;

  static std::string why(codec::Result result) { return std::string(describe(result.error)); }

  static void choose(codec::Parameters& parameters, Random& random) {
    parameters.error_bound = any_bound<T>(random);
    parameters.alone = random.below(2) == 0;
    if (!parameters.alone) {
      parameters.terms = static_cast<std::uint32_t>(1 + random.below(2) * random.below(1000));
    }
    const std::array<std::uint32_t, 5> rows{0, 0, 64, 64,
                                            static_cast<std::uint32_t>(random.below(300))};
    parameters.row_length = rows[random.below(rows.size())];
    const auto in_plane = static_cast<std::uint32_t>(random.below(2) * random.below(100));
    parameters.plane_length = parameters.row_length * in_plane;
    parameters.components = static_cast<std::uint32_t>(1 + random.below(2) * random.below(16));
    if (random.below(8) == 0) parameters.second_stage = codec::SecondStage::entropy;
  }

  // The message before, in which most values were the same, now and then.
  void refer(codec::Parameters& parameters, Random& random) {
    if (random.below(4) != 0) return;
    before_ = values_;
    const std::uint64_t rarity = 1 + random.below(8);
    for (T& value : before_) {
      if (random.below(rarity) == 0) value = neighbour(value, random);
    }
    reference_[0] = std::as_bytes(std::span(before_));
    parameters.references = reference_;
  }

  // The values as those of a few ranks.
  void reduce(Run& run, const Case& which, Random& random) {
    const auto ranks = static_cast<std::uint32_t>(2 + random.below(4));
    values_.resize(values_.size() / ranks * ranks);
    if (values_.empty()) return;
    const auto broken = reduction_.run(values_, ranks, which.parameters.error_bound, random);
    run.values += values_.size();
    run.reduced += values_.size();
    if (broken.promise == nullptr) return;
    std::string text = std::string("value ") + std::to_string(broken.at) + " of " +
                       std::to_string(ranks) + " ranks, but " + broken.promise + ":";
    for (std::size_t i = broken.at; i < values_.size(); i += values_.size() / ranks) {
      text += " " + hexadecimal(values_[i]);
    }
    report<T>(run, which, text + " became " + hexadecimal(reduction_.result(broken.at)));
  }

  static std::string hexadecimal(T value) {
    char text[64];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
    return text;
  }

  double check_all(Run& run, const Case& which) const {
    const double bound = which.parameters.error_bound;
    const std::span<const T> values(values_);
    const std::span<const T> decoded(decoded_);
    if (which.codec.id() == codec::Id::bounded && which.parameters.alone) {
      return check(run, which, codec::Promise<T>(values, bound), values, decoded);
    }
    return check(run, which, Strict<T>(which.codec, bound), values, decoded);
  }

  std::vector<T> values_;
  std::vector<T> before_;
  std::array<std::span<const std::byte>, 1> reference_;
  std::vector<T> decoded_;
  std::vector<std::byte> encoded_;
  Reduction<T> reduction_;
};

void work(Run& run) {
  Worker<float> floats;
  Worker<double> doubles;
  while (!run.stop && run.values < run.last_values && Clock::now() < run.end) {
    const std::uint64_t seed = run.first_seed + run.next_seed++;
    if (seed % 3 == 0) {
      doubles.run_case(run, seed);
    } else {
      floats.run_case(run, seed);
    }
  }
}

void print_tallies(const Run& run) {
  for (const codec::Codec* codec : codec::all()) {
    const Tally& tally = run.tallies[static_cast<std::uint8_t>(codec->id())];
    std::printf("  %-13s %14llu values", std::string(codec->name()).c_str(),
                static_cast<unsigned long long>(tally.values));
    if (codec->lossy()) std::printf("  largest error over bound %.17g", tally.worst.load());
    std::printf("\n");
  }
  std::printf("  reductions    %14llu values\n", static_cast<unsigned long long>(run.reduced));
}

int soak(Run& run, unsigned threads) {
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back([&] { work(run); });
  for (std::thread& worker : workers) worker.join();
  print_tallies(run);
  std::printf("%s: %llu values\n", run.stop ? "FAILED" : "none outside the bound",
              static_cast<unsigned long long>(run.values));
  return run.stop ? 1 : 0;
}

int run_command(int argc, char** argv) {
  CLI::App app("Sends adversarial values through every codec and checks each one.", "soak_codec");
  Run run;
  double seconds = 60;
  double values = 1e18;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  app.add_option("SECONDS", seconds, "how long")->capture_default_str();
  app.add_option("--values", values, "stop after so many, such as 1e10");
  app.add_option("--threads", threads, "how many at once")->check(CLI::Range(1, 1024));
  app.add_option("--seed", run.first_seed, "where to begin; a reported seed comes first again")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  run.last_values = static_cast<std::uint64_t>(values);
  run.end = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  return soak(run, threads);
}

}  // namespace
}  // namespace tightwire::soak

int main(int argc, char** argv) {
  try {
    return tightwire::soak::run_command(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak_codec: %s\n", error.what());
    return 1;
  }
}
