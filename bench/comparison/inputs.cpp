#include "comparison/inputs.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace tightwire::comparison {
namespace {

std::vector<float> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) throw std::runtime_error("cannot read " + path.string() + ": " + error.message());
  if (bytes == 0 || bytes % sizeof(float) != 0) {
    throw std::runtime_error(path.string() +
                             " does not hold float32 values: " + std::to_string(bytes) + " bytes");
  }
  std::vector<float> values(bytes / sizeof(float));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(bytes));
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return values;
}

// sum += what `call` should leave at this rank, from value `begin` of it on.
void add_expected(const Inputs& inputs, const Call& call, std::size_t begin,
                  std::span<double> sum) {
  const std::size_t own_block = static_cast<std::size_t>(call.rank) * call.block();
  switch (call.operation) {
    case Operation::allreduce:
      for (int rank = 0; rank < call.ranks; ++rank) inputs.add(rank, begin, sum);
      return;
    case Operation::reduce_scatter:
      for (int rank = 0; rank < call.ranks; ++rank) inputs.add(rank, own_block + begin, sum);
      return;
    case Operation::bcast:
      inputs.add(root, begin, sum);
      return;
    case Operation::scatter:
      inputs.add(root, own_block + begin, sum);
      return;
    case Operation::allgather:
    case Operation::gather:
    case Operation::alltoall:
      break;
  }
  // A block of each rank: its first, or in an alltoall the one for this rank.
  const std::size_t sent = call.operation == Operation::alltoall ? own_block : 0;
  while (!sum.empty()) {
    const std::size_t within = begin % call.block();
    const std::size_t length = std::min(sum.size(), call.block() - within);
    inputs.add(static_cast<int>(begin / call.block()), sent + within, sum.first(length));
    begin += length;
    sum = sum.subspan(length);
  }
}

}  // namespace

Inputs::Inputs(std::vector<float> field, std::size_t row_length, int ranks) {
  const std::size_t rows = field.size() / row_length;
  const std::size_t parts = static_cast<std::size_t>(ranks) + 1;
  shift_ = rows < parts ? field.size() / parts : row_length * (rows / parts);
  fields_.push_back(std::move(field));
}

Inputs::Inputs(std::vector<std::vector<float>> of_ranks) : fields_(std::move(of_ranks)) {
  for (const auto& field : fields_) {
    if (field.size() != count()) throw std::runtime_error("ranks' files differ in size");
  }
}

std::vector<float> Inputs::of(int rank) const {
  if (fields_.size() > 1) return fields_[static_cast<std::size_t>(rank)];
  std::vector<float> values(count());
  const std::size_t start = static_cast<std::size_t>(rank) * shift_ % count();
  std::ranges::rotate_copy(fields_[0], fields_[0].begin() + static_cast<std::ptrdiff_t>(start),
                           values.begin());
  return values;
}

double Inputs::range() const {
  float low = fields_[0][0];
  float high = low;
  for (const auto& field : fields_) {
    const auto [least, most] = std::ranges::minmax(field);
    low = std::min(low, least);
    high = std::max(high, most);
  }
  return static_cast<double>(high) - static_cast<double>(low);
}

void Inputs::add(int rank, std::size_t begin, std::span<double> sum) const {
  const std::vector<float>& field =
      fields_.size() > 1 ? fields_[static_cast<std::size_t>(rank)] : fields_[0];
  const std::size_t shift = fields_.size() > 1 ? 0 : static_cast<std::size_t>(rank) * shift_;
  while (!sum.empty()) {
    const std::size_t from = (begin + shift) % count();
    const std::size_t length = std::min(sum.size(), count() - from);
    for (std::size_t i = 0; i < length; ++i) sum[i] += static_cast<double>(field[from + i]);
    begin += length;
    sum = sum.subspan(length);
  }
}

Inputs read_inputs(const std::filesystem::path& folder, int ranks) {
  std::vector<std::vector<float>> fields;
  fields.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    fields.push_back(read_file(folder / (std::to_string(rank) + ".f32")));
  }
  return Inputs(std::move(fields));
}

double largest_error(const Inputs& inputs, const Call& call) {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  const std::span<const float> received = call.received();
  std::vector<double> expected;
  double largest = 0;
  for (std::size_t begin = 0; begin < received.size(); begin += at_once) {
    expected.assign(std::min(at_once, received.size() - begin), 0);
    add_expected(inputs, call, begin, expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error = std::fabs(static_cast<double>(received[begin + i]) - expected[i]);
      largest = std::isnan(error) ? HUGE_VAL : std::max(largest, error);
    }
  }
  return largest;
}

}  // namespace tightwire::comparison
