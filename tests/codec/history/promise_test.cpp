// What time promises, and keeps: messages of small solvers.
#include "codec/history/promise.h"

#include <gtest/gtest.h>

#include "history/support.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t side = 128;

// A square of values with two beside each border that do not change.
class Field {
 public:
  Field() : values_(side * side) {
    std::mt19937_64 random(3);
    for (int bump = 0; bump < 12; ++bump) {
      const auto x = static_cast<double>(random() % side);
      const auto y = static_cast<double>(random() % side);
      const double height = static_cast<double>(random() % 100) / 10;
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const double dx = static_cast<double>(i % side) - x;
        const std::size_t row = i / side;
        const double dy = static_cast<double>(row) - y;
        values_[i] += height * std::exp(-(dx * dx + dy * dy) / 300);
      }
    }
  }
  [[nodiscard]] double bend(std::size_t i) const {
    return values_[i - 1] + values_[i + 1] + values_[i - side] + values_[i + side] - 4 * values_[i];
  }
  template <class Use>
  static void inside(Use use) {
    for (std::size_t i = side; i < side * (side - 1); ++i) {
      if (i % side != 0 && i % side != side - 1) use(i);
    }
  }
  double& operator[](std::size_t i) { return values_[i]; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

// Steps of the heat equation.
class Heat {
 public:
  void step() {
    Field next = field_;
    Field::inside([&](std::size_t i) { next[i] += 0.05 * field_.bend(i); });
    field_ = next;
  }
  [[nodiscard]] const std::vector<double>& values() const { return field_.values(); }

 private:
  Field field_;
};

// And of the wave equation.
class Wave {
 public:
  void step() {
    Field next = field_;
    Field::inside([&](std::size_t i) { next[i] += field_[i] - last_[i] + 0.01 * field_.bend(i); });
    last_ = field_;
    field_ = next;
  }
  [[nodiscard]] const std::vector<double>& values() const { return field_.values(); }

 private:
  Field field_;
  Field last_;
};

template <class Solver>
InTime sent_by(Solver solver) {
  InTime all;
  for (int step = 0; step < 60; ++step) solver.step();
  for (std::size_t step = 0; step <= most_references; ++step) {
    if (step > 0) all.before.insert(all.before.begin(), all.values);
    solver.step();
    all.values = bytes_of(solver.values());
  }
  return all;
}

HistoryPromise promised(const InTime& all, std::size_t references) {
  const auto before = all.references(references);
  Parameters parameters;
  parameters.references = before;
  return promise_of_history(all.type, all.values, parameters);
}

void expect_kept(const InTime& all) {
  const HistoryPromise promise = promised(all, most_references);
  for (std::size_t order = 1; order <= promise.order; ++order) {
    const double kept = ratio_in_time(all, order);
    EXPECT_GT(promise.ratio[order], 0.85 * kept) << order;
    EXPECT_LT(promise.ratio[order], 1.15 * kept) << order;
  }
}

TEST(HistoryPromise, HeatIsBetterWithEveryOrder) {
  const InTime all = sent_by(Heat());
  EXPECT_GT(ratio_in_time(all, 6), 2 * ratio_in_time(all, 0));
  EXPECT_GT(ratio_in_time(all, 4), 1.15 * ratio_in_time(all, 2));
  EXPECT_GE(promised(all, most_references).order, 4);
  expect_kept(all);
}

TEST(HistoryPromise, WavesAreBetterWithEveryOrder) {
  const InTime all = sent_by(Wave());
  EXPECT_GT(ratio_in_time(all, 6), 2 * ratio_in_time(all, 0));
  expect_kept(all);
}

TEST(HistoryPromise, AnOrderMustPay) {
  // A straight line in time: two references tell all there is.
  InTime all;
  const auto line = [](int step) {
    std::vector<double> values(4096);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(i * i % 1013) * (100 - step);
    }
    return bytes_of(values);
  };
  all.values = line(0);
  for (int step = 1; step <= 8; ++step) all.before.push_back(line(step));
  EXPECT_EQ(promised(all, 8).order, 2);
  EXPECT_EQ(promised(all, 1).order, 1);
}

TEST(HistoryPromise, NoiseWillNotBePredicted) {
  const InTime all = in_time(ElementType::float64, Course::any_bits, 100000);
  const HistoryPromise promise = promised(all, 8);
  EXPECT_EQ(promise.order, 0);
  EXPECT_LT(promise.ratio[1], 1.5);
}

double ratio_within(const InTime& all, std::size_t references, double bound) {
  const Codec& bounded = *find(Id::bounded);
  const auto before = all.references(references);
  Parameters parameters = alone_parameters(bound);
  parameters.references = before;
  Bytes out(bounded.max_encoded_size(all.type, all.values.size() / element_size(all.type)));
  const Result result = bounded.encode(all.type, all.values, parameters, out);
  return static_cast<double>(all.values.size()) / static_cast<double>(result.size);
}

HistoryPromise promised_within(const InTime& all, std::size_t references, double bound) {
  const auto before = all.references(references);
  Parameters parameters = alone_parameters(bound);
  parameters.references = before;
  return promise_of_history(all.type, all.values, parameters);
}

TEST(HistoryPromise, WithinABoundItIsOfTheGrid) {
  for (const ElementType type : {ElementType::float32, ElementType::float64}) {
    const InTime all = in_time(type, Course::smooth, 50000);
    const double bound = type == ElementType::float32 ? 1e-4 : 1e-7;
    for (const std::size_t references : {1, 2}) {
      const HistoryPromise promise = promised_within(all, references, bound);
      EXPECT_EQ(promise.order, references);
      EXPECT_NEAR(promise.ratio[references] / ratio_within(all, references, bound), 1, 0.1);
    }
    EXPECT_NEAR(promised_within(all, 1, bound).ratio[0] / ratio_within(all, 0, bound), 1, 0.1);
  }
}

TEST(HistoryPromise, WhatNoGridHoldsPromisesNothing) {
  const InTime specials = in_time(ElementType::float64, Course::specials, 5000);
  EXPECT_EQ(promised_within(specials, 3, 1e-310).order, 0);
  EXPECT_GE(promised_within(specials, 3, 1e300).ratio[0], 0);
}

TEST(HistoryPromise, NothingIsPromisedOfWhatDoesNotSuit) {
  InTime all = in_time(ElementType::float64, Course::smooth, 1000);
  EXPECT_GT(promised(all, 2).ratio[2], 1);
  EXPECT_EQ(promised(all, 2).ratio[3], 0);
  all.before[1].pop_back();
  EXPECT_EQ(promised(all, 2).ratio[0], 0);
  EXPECT_EQ(promised(in_time(ElementType::float64, Course::smooth, 20), 2).order, 0);
}

}  // namespace
}  // namespace tightwire::codec
