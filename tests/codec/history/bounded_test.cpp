// The promises of `bounded` where it predicts from earlier messages, as they were decoded.
#include <gtest/gtest.h>

#include "codec/bounded/layout.h"
#include "codec/history/in_time.h"
#include "codec/simd/kernels.h"
#include "history/support.h"

namespace tightwire::codec {
namespace {

class BoundedHistory : public testing::Test {
 protected:
  ~BoundedHistory() override { use_kernels(before_); }
  const Kernels& before_ = active_kernels();
};

// Messages one after the other; what a receiver has of them.
template <class T>
class Channel {
 public:
  explicit Channel(const Parameters& parameters) : parameters_(parameters) {}

  // Empty: it could not be encoded.
  [[nodiscard]] Bytes encode(const std::vector<T>& values, std::size_t references) {
    const auto before = nearest(references);
    parameters_.references = before;
    Bytes out(codec().max_encoded_size(type_of<T>, values.size()));
    const auto bytes = std::as_bytes(std::span(values));
    const Result result = codec().encode(type_of<T>, bytes, parameters_, out);
    out.resize(result.ok() ? result.size : 0);
    return out;
  }
  [[nodiscard]] Error decode(const Bytes& encoding, std::size_t references,
                             std::vector<T>& values) const {
    const auto before = nearest(references);
    const auto bytes = std::as_writable_bytes(std::span(values));
    std::ranges::fill(bytes, std::byte{0xa5});
    return codec().decode_with(type_of<T>, encoding, before, bytes).error;
  }
  void keep(std::vector<T> decoded) { kept_.insert(kept_.begin(), bytes_of(decoded)); }
  // As if all had been sent and kept.
  void keep_original(const std::vector<T>& values) { kept_.push_back(bytes_of(values)); }

 private:
  static const Codec& codec() { return *find(Id::bounded); }
  [[nodiscard]] std::vector<std::span<const std::byte>> nearest(std::size_t number) const {
    return {kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(number)};
  }

  Parameters parameters_;
  std::vector<Bytes> kept_;
};

template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <class T>
void expect_within(const std::vector<T>& decoded, const std::vector<T>& sent, double bound) {
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const double error = std::abs(static_cast<double>(decoded[i]) - static_cast<double>(sent[i]));
    ASSERT_TRUE(error <= bound || same_bits(decoded[i], sent[i]))
        << "value " << i << ": " << sent[i] << " became " << decoded[i];
  }
}

bounded::Header header_of(const Bytes& encoding) {
  bounded::Header header;
  if (bounded::read_header(encoding, header) != Error::none) header.grid = bounded::GridKind::none;
  return header;
}

bool is_in_time(const Bytes& encoding) {
  return bounded::is_in_time(header_of(encoding));
}

Parameters bound_and(double bound, std::uint32_t components, SecondStage stage) {
  Parameters parameters = alone_parameters(bound);
  parameters.components = components;
  parameters.second_stage = stage;
  return parameters;
}

// The bound holds for each of many messages, whatever those before were rounded to.
template <class T>
void expect_no_drift(Course course, std::size_t count, const Parameters& parameters) {
  Channel<T> channel(parameters);
  std::size_t in_time = 0;
  for (int number = 0; number < 30; ++number) {
    const auto sent = message<T>(course, 30 - number, count, 7);
    const std::size_t references = std::min<std::size_t>(static_cast<std::size_t>(number), 3);
    const Bytes encoding = channel.encode(sent, references);
    ASSERT_FALSE(encoding.empty());
    in_time += is_in_time(encoding) ? 1 : 0;
    std::vector<T> decoded(count);
    ASSERT_EQ(channel.decode(encoding, references, decoded), Error::none);
    expect_within(decoded, sent, parameters.error_bound);
    channel.keep(decoded);
  }
  if (course == Course::smooth && count > 1000) {
    EXPECT_GT(in_time, 25u);
  }
}

TEST_F(BoundedHistory, TheBoundHoldsForEveryMessage) {
  for (int course = 0; course < static_cast<int>(Course::last); ++course) {
    for (const std::size_t count : {1, 17, 100, 1024, 5000}) {
      for (const double bound : {1e-2, 1e-5}) {
        expect_no_drift<float>(static_cast<Course>(course), count,
                               bound_and(bound, 1, SecondStage::none));
        expect_no_drift<double>(static_cast<Course>(course), count,
                                bound_and(bound, 3, SecondStage::none));
      }
    }
    expect_no_drift<double>(static_cast<Course>(course), 5000,
                            bound_and(1e-4, 1, SecondStage::entropy));
    expect_no_drift<float>(static_cast<Course>(course), 5000,
                           bound_and(1e-4, 3, SecondStage::entropy));
  }
}

template <class T>
Channel<T> channel_of(Course course, std::size_t count, const Parameters& parameters) {
  Channel<T> channel(parameters);
  for (int step = 1; step <= static_cast<int>(most_references); ++step) {
    channel.keep_original(message<T>(course, step, count, 3));
  }
  return channel;
}

// Of every instruction set the same bytes, each decoded by the others to the same values.
template <class T>
void expect_the_same_everywhere(Course course, const Parameters& parameters,
                                std::size_t references) {
  constexpr std::size_t count = 4500;
  const auto sent = message<T>(course, 0, count, 3);
  Channel<T> channel = channel_of<T>(course, count, parameters);
  use_kernels(*all_kernels().back());
  const Bytes encoding = channel.encode(sent, references);
  std::vector<T> expected(count);
  ASSERT_EQ(channel.decode(encoding, references, expected), Error::none);
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    ASSERT_EQ(channel.encode(sent, references), encoding) << kernels->name;
    std::vector<T> decoded(count);
    ASSERT_EQ(channel.decode(encoding, references, decoded), Error::none) << kernels->name;
    ASSERT_EQ(bytes_of(decoded), bytes_of(expected)) << kernels->name;
  }
}

TEST_F(BoundedHistory, EveryInstructionSetGivesTheSame) {
  for (int course = 0; course < static_cast<int>(Course::last); ++course) {
    for (const std::size_t references : {1, 2, 3, 8}) {
      for (const double bound : {1e-2, 1e-6}) {
        const Parameters parameters = bound_and(bound, 1, SecondStage::none);
        expect_the_same_everywhere<float>(static_cast<Course>(course), parameters, references);
        expect_the_same_everywhere<double>(static_cast<Course>(course), parameters, references);
        expect_the_same_everywhere<double>(static_cast<Course>(course),
                                           bound_and(bound, 1, SecondStage::entropy), references);
      }
    }
  }
}

TEST_F(BoundedHistory, AnUnchangedMessageTakesSomeBytes) {
  Channel<double> channel(alone_parameters(1e-6));
  const auto values = message<double>(Course::unchanged, 0, 1 << 17, 5);
  std::vector<double> decoded(values.size());
  const Bytes first = channel.encode(values, 0);
  ASSERT_EQ(channel.decode(first, 0, decoded), Error::none);
  channel.keep(decoded);
  const Bytes second = channel.encode(values, 1);
  EXPECT_TRUE(is_in_time(second));
  EXPECT_LT(second.size(), 200u);
}

TEST_F(BoundedHistory, SmoothInTimeIsMuchSmaller) {
  Channel<double> channel = channel_of<double>(Course::smooth, 1 << 15, alone_parameters(1e-6));
  const auto sent = message<double>(Course::smooth, 0, 1 << 15, 3);
  EXPECT_LT(4 * channel.encode(sent, 3).size(), channel.encode(sent, 0).size());
}

// Every fourth tile is a line in space, and was noise before.
std::vector<double> partly_in_space(int step) {
  auto values = message<double>(Course::smooth, step, 1 << 15, 3);
  std::mt19937_64 random(static_cast<std::uint64_t>(step));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i / 1024 % 4 != 1) continue;
    values[i] = step == 0 ? static_cast<double>(i % 1024) * 1e-4
                          : static_cast<double>(random() % 1000) * 1e-3;
  }
  return values;
}

TEST_F(BoundedHistory, TilesThatReferencesDoNotPredictAreLeftOut) {
  Channel<double> channel(alone_parameters(1e-6));
  for (int step = 1; step <= 3; ++step) channel.keep_original(partly_in_space(step));
  const auto sent = partly_in_space(0);
  const Bytes encoding = channel.encode(sent, 3);
  const Bytes of_references(8 * sent.size());
  const std::vector<std::span<const std::byte>> references(3, of_references);
  const auto in_time = bounded::read_in_time(sent.size(), references,
                                             std::span(encoding).subspan(bounded::header_size));
  ASSERT_TRUE(is_in_time(encoding) && in_time);
  for (const std::byte marks : in_time->left_out) EXPECT_EQ(marks, std::byte{0x22});
  std::vector<double> decoded(sent.size());
  ASSERT_EQ(channel.decode(encoding, 3, decoded), Error::none);
  expect_within(decoded, sent, 1e-6);
}

TEST_F(BoundedHistory, TheEntropyCoderTakesWhatTimeLeaves) {
  const auto shifted = [](int step) {
    auto values = message<double>(Course::smooth, step, 1 << 15, 3);
    std::mt19937_64 random(static_cast<std::uint64_t>(step));
    for (double& value : values) value += std::pow(static_cast<double>(random() % 1000) / 1000, 9);
    return values;
  };
  Channel<double> channel(bound_and(1e-5, 1, SecondStage::entropy));
  for (int step = 1; step <= 3; ++step) channel.keep_original(shifted(step));
  const Bytes encoding = channel.encode(shifted(0), 1);
  EXPECT_EQ(header_of(encoding).grid, bounded::GridKind::coded_in_time);
  std::vector<double> decoded(1 << 15);
  ASSERT_EQ(channel.decode(encoding, 1, decoded), Error::none);
  expect_within(decoded, shifted(0), 1e-5);
}

// Small whole numbers, rough in space and time: `exact` has fewer digits for them than a grid.
TEST_F(BoundedHistory, ExactIsStillTakenWhereItIsSmaller) {
  Channel<double> channel(alone_parameters(1e-6));
  const auto counts = [](int step) {
    std::mt19937_64 random(5);
    std::vector<double> values(1 << 14);
    for (double& value : values) {
      value = static_cast<double>(random() % 16 + (random() + static_cast<unsigned>(step)) % 2);
    }
    return values;
  };
  for (int step = 1; step <= 2; ++step) channel.keep_original(counts(step));
  EXPECT_LE(channel.encode(counts(0), 1).size(), channel.encode(counts(0), 0).size());
}

TEST_F(BoundedHistory, WhatDoesNotHelpIsNotUsed) {
  Channel<double> channel(alone_parameters(1e-4));
  for (int k = 0; k < 8; ++k) channel.keep_original(message<double>(Course::any_bits, k, 4096, 2));
  const auto sent = message<double>(Course::any_bits, 9, 4096, 9);
  EXPECT_EQ(channel.encode(sent, 8), channel.encode(sent, 0));
}

// Land at one value in each message: gaps cost what a mask costs.
TEST_F(BoundedHistory, FillValuesDoNotMatter) {
  const Parameters parameters = alone_parameters(1e-5);
  Channel<float> plain(parameters);
  Channel<float> masked(parameters);
  const auto fill = [](std::vector<float> values, float value) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i / 300 % 3 == 0) values[i] = value;
    }
    return values;
  };
  for (int step = 1; step <= 3; ++step) {
    const auto values = message<float>(Course::smooth, step, 1 << 15, 3);
    plain.keep_original(values);
    masked.keep_original(fill(values, step == 2 ? -9999 : 1e20f));
  }
  const auto sent = message<float>(Course::smooth, 0, 1 << 15, 3);
  const Bytes encoding = masked.encode(fill(sent, 1e20f), 3);
  EXPECT_TRUE(is_in_time(encoding));
  EXPECT_LT(encoding.size(), plain.encode(sent, 3).size() + 1200);
  std::vector<float> decoded(sent.size());
  ASSERT_EQ(masked.decode(encoding, 3, decoded), Error::none);
  expect_within(decoded, fill(sent, 1e20f), 1e-5);
}

TEST_F(BoundedHistory, ReferencesThatDoNotSuitAreRefused) {
  Channel<double> channel = channel_of<double>(Course::smooth, 5000, alone_parameters(1e-5));
  const auto sent = message<double>(Course::smooth, 0, 5000, 3);
  const Bytes encoding = channel.encode(sent, 2);
  ASSERT_TRUE(is_in_time(encoding));
  std::vector<double> decoded(sent.size());
  EXPECT_EQ(channel.decode(encoding, 0, decoded), Error::damaged);
  EXPECT_EQ(channel.decode(encoding, 8, decoded), Error::none);
  std::vector<double> shorter(sent.size() - 1);
  EXPECT_EQ(channel.decode(encoding, 2, shorter), Error::damaged);
  EXPECT_TRUE(channel.encode(shorter, 2).empty());
}

TEST_F(BoundedHistory, EveryDamagedByteIsFoundOrHarmless) {
  Channel<float> channel = channel_of<float>(Course::in_part, 6000, alone_parameters(1e-4));
  auto sent = message<float>(Course::in_part, 0, 6000, 3);
  for (std::size_t i = 0; i < sent.size(); i += 97) sent[i] = std::nanf("");
  const Bytes encoding = channel.encode(sent, 2);
  ASSERT_TRUE(is_in_time(encoding));
  std::vector<float> decoded(sent.size());
  for (std::size_t size = 0; size < encoding.size(); size += 1 + size / 50) {
    const Bytes cut(encoding.begin(), encoding.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(channel.decode(cut, 2, decoded), Error::damaged);
  }
  for (std::size_t at = 0; at < encoding.size(); at += 1 + at / 40) {
    Bytes changed = encoding;
    changed[at] ^= std::byte{0x41};
    const Error error = channel.decode(changed, 2, decoded);
    EXPECT_TRUE(error == Error::none || error == Error::damaged || error == Error::other_version)
        << at;
  }
}

}  // namespace
}  // namespace tightwire::codec
