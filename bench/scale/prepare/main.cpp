// bench-scale-prepare FIELD BYTES BOUND CACHE PREFIX: what simulated ranks need. PREFIX.f32 holds
// the field of BYTES bytes twice over, so that each rank finds its own beginning in it;
// PREFIX.costs what the codec costs
// (../costs.h). BOUND is a part of the range of the values; prints the absolute one.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

#include "calibrate/measure/timing.h"
#include "codec/bounded/bounded.h"
#include "codec/estimate/estimate.h"
#include "fields/fields.h"
#include "os/whole_file.h"
#include "scale/costs.h"

namespace tightwire::scale {
namespace {

using codec::bounded::Operation;

constexpr auto type = codec::ElementType::float32;
// Others disturb a core, or the one that shares its silicon, for longer than one piece takes.
constexpr auto long_enough = std::chrono::milliseconds(1500);

void require(const codec::Result& result) {
  if (!result.ok()) throw std::runtime_error("bounded: " + std::string(describe(result.error)));
}

// The codec at work on pieces of a field, in each way. Each time on the next piece: a message comes
// from memory, not from a core's caches, unless all of it fits there.
class Bench {
 public:
  Bench(std::span<const std::byte> values, const codec::Parameters& parameters, std::size_t piece)
      : parameters_(parameters),
        alone_(alone(parameters)),
        with_coder_(with_coder(parameters)),
        decoded_(values.size()),
        out_(encoded_room(piece)) {
    for (std::size_t begin = 0; begin + piece <= values.size(); begin += piece) {
      pieces_.push_back(values.subspan(begin, piece));
      encoded_.push_back(made_of(pieces_.back(), parameters_));
      coded_.push_back(made_of(pieces_.back(), with_coder_));
    }
  }

  double seconds(codec::Work work) {
    ++next_;
    return calibrate::seconds_of([&] { run(work); });
  }

 private:
  [[nodiscard]] std::size_t encoded_room(std::size_t piece) const {
    return codec_.max_encoded_size(type, piece / sizeof(float));
  }

  static codec::Parameters alone(codec::Parameters parameters) {
    parameters.alone = true;
    return parameters;
  }
  // Only what will not be summed goes through the coder.
  static codec::Parameters with_coder(const codec::Parameters& parameters) {
    codec::Parameters coded = alone(parameters);
    coded.second_stage = codec::SecondStage::entropy;
    return coded;
  }

  std::size_t encode(std::span<const std::byte> values, const codec::Parameters& parameters) {
    const codec::Result result = codec_.encode(type, values, parameters, out_);
    require(result);
    return result.size;
  }

  std::vector<std::byte> made_of(std::span<const std::byte> values,
                                 const codec::Parameters& parameters) {
    const auto size = static_cast<std::ptrdiff_t>(encode(values, parameters));
    return {out_.begin(), out_.begin() + size};
  }

  void run(codec::Work work) {
    namespace bounded = codec::bounded;
    const std::size_t here = next_ % pieces_.size();
    const std::span<const std::byte> values = pieces_[here];
    const std::span<const std::byte> first = encoded_[here];
    const std::span<const std::byte> other = encoded_[(here + pieces_.size() / 2) % pieces_.size()];
    const std::span decoded = std::span(decoded_).subspan(here * values.size(), values.size());
    switch (work) {
      case codec::Work::encode:
        encode(values, parameters_);
        return;
      case codec::Work::decode:
        require(codec_.decode(type, first, decoded));
        return;
      case codec::Work::merge:
        require(bounded::combine_values(Operation::sum, type, other, values, parameters_, out_));
        return;
      case codec::Work::combine:
        require(bounded::combine(Operation::sum, type, values.size() / sizeof(float), first, other,
                                 out_));
        return;
      case codec::Work::complete:
        require(bounded::complete_values(Operation::sum, type, other, values, parameters_, out_,
                                         decoded));
        return;
      case codec::Work::encode_alone:
        encode(values, alone_);
        return;
      case codec::Work::encode_coded:
        encode(values, with_coder_);
        return;
      case codec::Work::decode_coded:
        require(codec_.decode(type, coded_[here], decoded));
        return;
    }
  }

  const codec::Codec& codec_ = *codec::find(codec::Id::bounded);
  codec::Parameters parameters_;
  codec::Parameters alone_;
  codec::Parameters with_coder_;
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<std::vector<std::byte>> encoded_;
  std::vector<std::vector<std::byte>> coded_;
  std::vector<std::byte> decoded_;
  std::vector<std::byte> out_;
  std::size_t next_ = 0;
};

// Of a short and a long piece, seconds of each of many.
struct Times {
  std::vector<double> of_small;
  std::vector<double> of_large;
};

std::array<Times, codec::work_count> measure(Bench& small, Bench& large) {
  std::array<Times, codec::work_count> times;
  const auto end = std::chrono::steady_clock::now() + long_enough;
  do {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto work = static_cast<codec::Work>(i);
      times[i].of_small.push_back(small.seconds(work));
      times[i].of_large.push_back(large.seconds(work));
    }
  } while (std::chrono::steady_clock::now() < end);
  return times;
}

// Three quarters take longer: those that were disturbed, but not for being alone at the edges of a
// time in which several processes measure.
double undisturbed(std::vector<double>& seconds) {
  const auto at = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
  std::ranges::nth_element(seconds, at);
  return *at;
}

// A line through the times of a short and a long piece.
Costs costs_of(const fields::Field& field, const codec::Parameters& parameters) {
  const std::size_t small = std::size_t{4} << 10;
  const std::size_t large = std::min<std::size_t>(field.bytes.size(), std::size_t{1} << 20);
  Bench of_small(field.bytes, parameters, small);
  Bench of_large(field.bytes, parameters, large);
  auto times = measure(of_small, of_large);
  Costs costs;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const double short_time = undisturbed(times[i].of_small);
    const double per_byte =
        (undisturbed(times[i].of_large) - short_time) / static_cast<double>(large - small);
    costs[i] = {std::max(0.0, short_time - per_byte * static_cast<double>(small)),
                std::max(0.0, per_byte)};
  }
  return costs;
}

void write(const std::string& file, const std::string& text) {
  if (const auto problem = os::write_whole_file(file, text)) throw std::runtime_error(*problem);
}

void prepare(const std::string& name, std::size_t bytes, double bound, const std::string& cache,
             const std::string& prefix) {
  const fields::Kind* const kind = fields::find(name);
  if (kind == nullptr) throw std::runtime_error("there is no field \"" + name + "\"");
  const fields::Field field = fields::cached(*kind, bytes, cache);
  if (field.type != type) throw std::runtime_error("the field \"" + name + "\" is not of float32");
  codec::Parameters parameters;
  parameters.error_bound = bound * fields::value_range(field);
  parameters.row_length = static_cast<std::uint32_t>(field.shape.back());
  const std::string values(reinterpret_cast<const char*>(field.bytes.data()), field.bytes.size());
  write(prefix + ".f32", values + values);
  write(prefix + ".costs", text_of(costs_of(field, parameters)));
  std::printf("%.9g\n", parameters.error_bound);
}

}  // namespace
}  // namespace tightwire::scale

int main(int argc, char** argv) {
  constexpr int arguments = 6;
  if (argc != arguments) {
    std::fprintf(stderr, "usage: bench-scale-prepare FIELD BYTES BOUND CACHE PREFIX\n");
    return 2;
  }
  try {
    tightwire::scale::prepare(argv[1], std::stoul(argv[2]), std::stod(argv[3]), argv[4], argv[5]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-scale-prepare: %s\n", error.what());
    return 1;
  }
  return 0;
}
