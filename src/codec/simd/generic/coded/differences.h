// Residuals of integers that lie in one piece, as differences of differences, and back.
#pragma once

#include "codec/entropy/layout.h"
#include "codec/simd/generic/predict.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Integers that are worked on at a time, to stay in the first cache.
inline constexpr std::size_t batch = 1024;

template <unsigned number>
using Constant = std::integral_constant<unsigned, number>;

// Calls run with the orders along rows and planes as constants.
template <class Run>
auto with_orders(const entropy::Differences& by, Run run) {
  const auto with_planes = [&](auto row_order) {
    switch (by.plane_order) {
      case 0:
        return run(row_order, Constant<0>{});
      case 1:
        return run(row_order, Constant<1>{});
      default:
        return run(row_order, Constant<entropy::most_plane_order>{});
    }
  };
  switch (by.row_order) {
    case 0:
      return with_planes(Constant<0>{});
    case 1:
      return with_planes(Constant<1>{});
    case 2:
      return with_planes(Constant<2>{});
    default:
      return with_planes(Constant<entropy::three_rows>{});
  }
}

// Differences along planes and rows, which are no shorter than a block; out[i] is of q[i]. Arrays
// do not overlap.
template <class U>
void across_rows(const U* q, std::size_t count, const entropy::Differences& by, U* out) {
  using B = Block<U>;
  with_orders(by, [&, apart = by.apart](auto rows, auto planes) {
    std::size_t i = 0;
    for (; i + block_values <= count; i += block_values) {
      const B before = block_from_before<rows.value, planes.value>(q + i, apart);
      (B::load(q + i) - before).store(out + i);
    }
    for (; i < count; ++i) out[i] = q[i] - from_before<rows.value, planes.value>(q + i, apart);
  });
}

// One order; e[-order * lag] and what follows can be read.
template <unsigned order, class U>
void along_values(const U* e, std::size_t count, std::size_t lag, U* out) {
  for (std::size_t i = 0; i < count; ++i) {
    U sum = e[i];
    for (std::size_t k = 1; k <= order; ++k) {
      const U part = entropy::binomials[order][k] * *(e + i - k * lag);
      sum = k % 2 == 0 ? sum + part : sum - part;
    }
    out[i] = sum;
  }
}

template <class U>
void along_values(const U* e, std::size_t count, const entropy::Differences& by, U* out) {
  switch (by.order) {
    case 0:
      std::copy_n(e, count, out);
      return;
    case 1:
      return along_values<1>(e, count, by.lag, out);
    case 2:
      return along_values<2>(e, count, by.lag, out);
    case 3:
      return along_values<3>(e, count, by.lag, out);
    case 4:
      return along_values<4>(e, count, by.lag, out);
    case 5:
      return along_values<5>(e, count, by.lag, out);
    case 6:
      return along_values<6>(e, count, by.lag, out);
    default:
      return along_values<entropy::most_order>(e, count, by.lag, out);
  }
}

template <class U>
class Differencer {
 public:
  explicit Differencer(const entropy::Differences& by) : by_(by) {}
  void use(const entropy::Differences& by) { by_ = by; }

  // Folded residuals of at most a batch; q[-reach] and what follows can be read.
  void take(const U* q, std::size_t count, U* residuals) {
    const U* e = q;
    if (by_.looks_up()) {
      across_rows(q - by_.along(), count + by_.along(), by_, rows_);
      e = rows_ + by_.along();
    }
    along_values(e, count, by_, residuals);
    for (std::size_t i = 0; i < count; ++i) residuals[i] = fold_sign(residuals[i]);
  }

 private:
  entropy::Differences by_;
  alignas(64) U rows_[batch + std::size_t{entropy::most_order} * entropy::longest_lag];
};

// Running sums in place, the first behind `before`.
template <class U>
void sum_neighbours(U* x, std::size_t count, U before) {
  using B = Block<U>;
  B carry = B::fill(before);
  std::size_t i = 0;
  for (; i + block_values <= count; i += block_values) {
    const B within = B::load(x + i).running_sum();
    (within + carry).store(x + i);
    carry = carry + within.last();  // shorter than from the result
  }
  U sum = i == 0 ? before : x[i - 1];
  for (; i < count; ++i) x[i] = sum += x[i];
}

// Sums up what was differenced along values, in place. last[k * lag + j]: of order k, the sum
// before value j.
template <class U>
void sum_along(U* x, std::size_t count, const entropy::Differences& by, const U* last) {
  const std::size_t lag = by.lag;
  for (unsigned k = by.order; k-- > 0;) {
    const U* const before = last + k * lag;
    if (lag == 1) {
      sum_neighbours(x, count, *before);
      continue;
    }
    for (std::size_t i = 0; i < std::min(lag, count); ++i) x[i] += before[i];
    for (std::size_t i = lag; i < count; ++i) x[i] += x[i - lag];
  }
}

// The sums of every order before e[0].
template <class U>
void last_sums(const U* e, const entropy::Differences& by, U* last) {
  U level[std::size_t{entropy::most_order} * entropy::longest_lag];
  const std::size_t lag = by.lag;
  std::size_t size = by.along();
  std::copy_n(e - size, size, level);
  for (unsigned k = 0; k < by.order; ++k) {
    std::copy_n(level + size - lag, lag, last + k * lag);
    for (std::size_t i = 0; i + lag < size; ++i) level[i] = level[i + lag] - level[i];
    size -= lag;
  }
}

// Rows and planes are no shorter than a block.
template <class U>
void sum_rows(const U* x, std::size_t count, const entropy::Differences& by, U* q) {
  using B = Block<U>;
  with_orders(by, [&, apart = by.apart](auto rows, auto planes) {
    std::size_t i = 0;
    for (; i + block_values <= count; i += block_values) {
      const B before = block_from_before<rows.value, planes.value>(q + i, apart);
      (B::load(x + i) + before).store(q + i);
    }
    for (; i < count; ++i) q[i] = x[i] + from_before<rows.value, planes.value>(q + i, apart);
  });
}

template <class U>
class Summer {
 public:
  explicit Summer(const entropy::Differences& by) : by_(by) {}

  // The inverse of Differencer::take; q is filled, the residuals are spoilt.
  void undo(U* residuals, std::size_t count, U* q) {
    for (std::size_t i = 0; i < count; ++i) residuals[i] = unfold_sign(residuals[i]);
    if (by_.order != 0) sum_along_of(q, residuals, count);
    if (by_.looks_up()) {
      sum_rows(residuals, count, by_, q);
    } else {
      std::copy_n(residuals, count, q);
    }
  }

 private:
  void sum_along_of(const U* q, U* residuals, std::size_t count) {
    U last[std::size_t{entropy::most_order} * entropy::longest_lag];
    if (!by_.looks_up()) {
      last_sums(q, by_, last);
    } else {
      U before[std::size_t{entropy::most_order} * entropy::longest_lag];
      across_rows(q - by_.along(), by_.along(), by_, before);
      last_sums(before + by_.along(), by_, last);
    }
    sum_along(residuals, count, by_, last);
  }

  entropy::Differences by_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
