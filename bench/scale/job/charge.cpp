#include "scale/job/charge.h"

#include <smpi/smpi.h>

namespace tightwire::scale {
namespace {

// Adding one array to another in memory, on the core that the costs are of.
constexpr double seconds_to_add = 1.5e-10;

// This rank's: each has its own copy of the program.
Costs known_costs;

void charge(double seconds) {
  smpi_execute_benched(seconds);
}

const Cost& cost_of(const Costs& costs, codec::Work work) {
  return costs[static_cast<std::size_t>(work)];
}

class Charged final : public comparison::Coder {
 public:
  Charged(std::unique_ptr<Coder> coder, const Costs& costs)
      : coder_(std::move(coder)), costs_(costs) {}

  std::size_t capacity(std::size_t count) const override { return coder_->capacity(count); }
  std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const override {
    const std::size_t size = coder_->encode(values, encoded);
    charge(cost_of(costs_, codec::Work::encode).of(values.size_bytes()));
    return size;
  }
  void decode(std::span<const std::byte> encoded, std::span<float> values) const override {
    coder_->decode(encoded, values);
    charge(cost_of(costs_, codec::Work::decode).of(values.size_bytes()));
  }

 private:
  std::unique_ptr<Coder> coder_;
  Costs costs_;
};

}  // namespace

void charge_codecs(const Costs& costs) {
  known_costs = costs;
  codec::work_observer = [](const codec::WorkDone& done) {
    charge(cost_of(known_costs, done.work).of(done.value_bytes));
  };
}

void charge_adding(std::size_t bytes) {
  charge(seconds_to_add * static_cast<double>(bytes));
}

std::unique_ptr<comparison::Coder> charged(std::unique_ptr<comparison::Coder> coder,
                                           const Costs& costs) {
  return std::make_unique<Charged>(std::move(coder), costs);
}

}  // namespace tightwire::scale
