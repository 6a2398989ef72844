#include "scale/job/field.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace tightwire::scale {
namespace {

using comparison::Call;
using comparison::Operation;

std::vector<double> summed(const SharedField& field, const Call& call, std::size_t begin,
                           std::size_t length) {
  std::vector<double> sum(length);
  for (int vector = 0; vector < field.vectors(); ++vector) {
    const auto values = field.of(vector, call.count).subspan(begin, length);
    for (std::size_t i = 0; i < length; ++i) sum[i] += static_cast<double>(values[i]);
  }
  return sum;
}

std::vector<double> in_double(std::span<const float> values) {
  return {values.begin(), values.end()};
}

// The blocks of all ranks that begin at value `begin` of theirs.
std::vector<double> gathered(const SharedField& field, const Call& call, std::size_t begin) {
  std::vector<double> all;
  all.reserve(call.count);
  for (int rank = 0; rank < call.ranks; ++rank) {
    const auto block = field.of(rank, call.count).subspan(begin, call.block());
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

std::vector<double> expected(const SharedField& field, const Call& call) {
  const std::size_t own = static_cast<std::size_t>(call.rank) * call.block();
  const auto of_root = field.of(comparison::root, call.count);
  switch (call.operation) {
    case Operation::allreduce:
      return summed(field, call, 0, call.count);
    case Operation::reduce_scatter:
      return summed(field, call, own, call.block());
    case Operation::scatter:
      return in_double(of_root.subspan(own, call.block()));
    case Operation::allgather:
      return gathered(field, call, 0);
    case Operation::gather:
      return call.rank == comparison::root ? gathered(field, call, 0) : std::vector<double>{};
    case Operation::alltoall:
      return gathered(field, call, own);
    case Operation::bcast:
      break;
  }
  return in_double(of_root);
}

}  // namespace

SharedField::SharedField(const std::string& path, int vectors) : file_(path), vectors_(vectors) {
  const auto bytes = file_.bytes();
  if (bytes.empty() || bytes.size() % (2 * sizeof(float)) != 0) {
    throw std::runtime_error(path +
                             " does not hold a field twice over; make it with "
                             "bench-scale-prepare");
  }
  doubled_ = {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
  shift_ = std::max<std::size_t>(count() / (static_cast<std::size_t>(vectors) + 1), 1);
}

std::span<const float> SharedField::of(int vector, std::size_t length) const {
  return doubled_.subspan(static_cast<std::size_t>(vector) * shift_ % count(), length);
}

Errors errors_of(const SharedField& field, const Call& call) {
  Errors errors;
  if (call.operation == Operation::allreduce && call.rank != 0) return errors;
  const std::span<const float> received = call.received();
  const std::vector<double> right = expected(field, call);
  for (std::size_t i = 0; i < right.size(); ++i) {
    errors.add(static_cast<double>(received[i]), right[i]);
  }
  return errors;
}

}  // namespace tightwire::scale
