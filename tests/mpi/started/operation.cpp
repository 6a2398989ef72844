#include "operation.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <type_traits>

namespace started {
namespace {

bool is_uneven(Kind kind) {
  return kind == Kind::reduce_scatter || kind == Kind::gatherv || kind == Kind::scatterv ||
         kind == Kind::allgatherv || kind == Kind::neighbor_allgatherv;
}

bool is_among_neighbours(Kind kind) {
  return static_cast<int>(kind) >= kinds_among_all;
}

// Each sends others the same values.
bool is_neighbours_gather(Kind kind) {
  return kind == Kind::neighbor_allgather || kind == Kind::neighbor_allgatherv;
}

bool exchanges(Kind kind) {
  return kind == Kind::alltoall || kind == Kind::alltoallv || kind == Kind::alltoallw ||
         is_among_neighbours(kind);
}

constexpr double untouched = -7;

// Any number but infinities and subnormals.
template <class Value>
Value rough_value(std::uint64_t bits) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(bits >> 33);
  } else {
    constexpr std::uint64_t exponents = 2046;
    const std::uint64_t exponent = 1 + (bits >> 52 & 0x7ff) % exponents;
    return std::bit_cast<Value>((bits & 0x800fffffffffffffU) | exponent << 52);
  }
}

template <class Value>
void write(std::vector<Value>& into, int at, int count, auto&& what) {
  const std::span<Value> room = std::span(into).subspan(static_cast<std::size_t>(at));
  for (int i = 0; i < count; ++i) {
    room[static_cast<std::size_t>(i)] = static_cast<Value>(what(i));
  }
}

}  // namespace

bool reduces(Kind kind) {
  return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::reduce_scatter ||
         kind == Kind::reduce_scatter_block || kind == Kind::scan || kind == Kind::exscan;
}

void Operation::Side::add(int rank, int count) {
  ranks.push_back(rank);
  counts.push_back(count);
  places.push_back(total);
  total += count;
}

Operation::Operation(const Draw& draw, double bound) : draw_(draw), bound_(bound) {
  MPI_Comm_rank(draw.comm, &rank_);
  is_between() ? MPI_Comm_remote_size(draw.comm, &ranks_) : MPI_Comm_size(draw.comm, &ranks_);
  const auto numbered = [&](int rank, Group group) {
    return is_between() ? 2 * rank + (group == Group::odd ? 1 : 0) : rank;
  };
  const Group other = draw.group == Group::even ? Group::odd : Group::even;
  rank_ = numbered(rank_, draw.group);
  for (int rank = 0; rank < ranks_; ++rank) peers_.push_back(numbered(rank, other));
  lay_out();
  fill_buffers();
}

Operation::~Operation() {
  if (row_ != MPI_DATATYPE_NULL) MPI_Type_free(&row_);
}

void Operation::renew(int salt) {
  draw_.salt = salt;
  fill_buffers();
}

// Buffers of nothing have an address of their own, too: MPIX_Reduce_init wants two.
void Operation::fill_buffers() {
  doubles_.sent.reserve(1);
  doubles_.received.reserve(1);
  ints_.sent.reserve(1);
  ints_.received.reserve(1);
  draw_.floating ? fill(doubles_) : fill(ints_);
}

// Rank r's block is `count` long, or as many again times r % 3 in the v-forms; one is empty.
void Operation::lay_out() {
  for (const int peer : peers_) {
    counts_.push_back(count_of(peer));
    places_.push_back(total_);
    total_ += counts_.back();
  }
  if (is_among_neighbours(draw_.kind)) lay_out_neighbours();
  if (exchanges(draw_.kind) && !is_among_neighbours(draw_.kind)) lay_out_exchange();
  for (Side* side : {&out_, &in_}) {
    side->counts.reserve(1);
    side->places.reserve(1);
  }
}

int Operation::count_of(int rank) const {
  return is_uneven(draw_.kind) ? draw_.count * (rank % 3) : draw_.count;
}

// In place all pairs have as much for each other.
int Operation::between(int from, int to) const {
  if (is_neighbours_gather(draw_.kind)) return count_of(from);
  const bool even = draw_.kind == Kind::alltoall || draw_.kind == Kind::neighbor_alltoall;
  return even ? draw_.count : draw_.count * ((from + to) % 3);
}

void Operation::lay_out_exchange() {
  for (const int peer : peers_) {
    out_.add(peer, between(rank_, peer));
    in_.add(peer, between(peer, rank_));
  }
}

bool Operation::gets_bcast() const {
  return !is_between() || draw_.root % 2 != rank_ % 2;
}

// As the rank names it in a Bcast.
int Operation::root_argument() const {
  if (!is_between()) return draw_.root;
  if (gets_bcast()) return draw_.root / 2;
  return draw_.root == rank_ ? MPI_ROOT : MPI_PROC_NULL;
}

void Operation::lay_out_neighbours() {
  int in = 0;
  int out = 0;
  int weighted = 0;
  MPI_Dist_graph_neighbors_count(draw_.comm, &in, &out, &weighted);
  std::vector<int> sources(static_cast<std::size_t>(in) + 1), destinations(out + 1u);
  std::vector<int> weights(sources.size() + destinations.size());
  MPI_Dist_graph_neighbors(draw_.comm, in, sources.data(), weights.data(), out, destinations.data(),
                           weights.data() + in);
  for (int i = 0; i < out; ++i) {
    const int to = destinations[static_cast<std::size_t>(i)];
    out_.add(to, between(rank_, to));
  }
  for (int i = 0; i < in; ++i) {
    const int from = sources[static_cast<std::size_t>(i)];
    in_.add(from, between(from, rank_));
  }
}

// Of a rank's value number `index`.
template <class Value>
Value Operation::value(int rank, int index) const {
  if (draw_.rough) {
    std::uint64_t bits = static_cast<std::uint64_t>(draw_.salt) << 40 ^
                         static_cast<std::uint64_t>(rank) << 32 ^ static_cast<std::uint64_t>(index);
    for (const int shift : {30, 27, 31}) bits = (bits ^ bits >> shift) * 0xbf58476d1ce4e5b9U;
    return rough_value<Value>(bits);
  }
  return static_cast<Value>(0.25 * ((draw_.salt * 131 + rank * 17 + index / 3) % 1009));
}

double Operation::sum(int ranks, int index) const {
  double sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    sum += draw_.floating ? value<double>(rank, index) : value<int>(rank, index);
  }
  return sum;
}

// What a rank has for another begins at 1000 times that one's number.
template <class Value>
void Operation::fill_exchange(Values<Value>& values) {
  const bool same = is_neighbours_gather(draw_.kind);
  const auto first = [&](int to) { return same ? 0 : 1000 * to; };
  const int own = count_of(rank_);
  values.sent.resize(static_cast<std::size_t>(same ? own : out_.total));
  if (same) write(values.sent, 0, own, [&](int i) { return value<Value>(rank_, i); });
  for (std::size_t i = 0; !same && i < out_.ranks.size(); ++i) {
    const int begin = first(out_.ranks[i]);
    write(values.sent, out_.places[i], out_.counts[i],
          [&](int j) { return value<Value>(rank_, begin + j); });
  }
  values.received.assign(static_cast<std::size_t>(in_.total), static_cast<Value>(untouched));
  values.expected = values.received;
  for (std::size_t i = 0; i < in_.ranks.size(); ++i) {
    write(values.expected, in_.places[i], in_.counts[i],
          [&](int j) { return value<Value>(in_.ranks[i], first(rank_) + j); });
  }
  if (draw_.in_place && !is_among_neighbours(draw_.kind)) values.received = values.sent;
  if (is_among_neighbours(draw_.kind)) draw_.in_place = false;
}

template <class Value>
void Operation::fill(Values<Value>& values) {
  if (exchanges(draw_.kind)) return fill_exchange(values);
  const int own = count_of(rank_);
  const int begin = is_between() ? 0 : places_[static_cast<std::size_t>(rank_)];
  const bool is_root = rank_ == draw_.root;
  const auto room = [&](int count) {
    values.received.assign(static_cast<std::size_t>(count), static_cast<Value>(untouched));
    values.expected = values.received;
  };
  const auto send = [&](int count) {
    values.sent.resize(static_cast<std::size_t>(count));
    write(values.sent, 0, count, [&](int i) { return value<Value>(rank_, i); });
  };
  const auto expect = [&](int at, int count, auto&& what) {
    write(values.expected, at, count, what);
  };
  const auto sums = [&](int ranks, int from) {
    return [this, ranks, from](int i) { return sum(ranks, from + i); };
  };
  switch (draw_.kind) {
    case Kind::bcast:
      room(draw_.count);
      if (is_root) {
        write(values.received, 0, draw_.count, [&](int i) { return value<Value>(rank_, i); });
      }
      if (gets_bcast() || is_root) {
        expect(0, draw_.count, [&](int i) { return value<Value>(draw_.root, i); });
      }
      return;
    case Kind::reduce:
    case Kind::allreduce:
    case Kind::scan:
    case Kind::exscan: {
      room(draw_.count);
      send(draw_.count);
      const bool gets = draw_.kind == Kind::reduce ? is_root : true;
      const int ranks = draw_.kind == Kind::scan     ? rank_ + 1
                        : draw_.kind == Kind::exscan ? rank_
                                                     : ranks_;
      if (gets && ranks > 0) expect(0, draw_.count, sums(ranks, 0));
      break;
    }
    case Kind::reduce_scatter:
    case Kind::reduce_scatter_block:
      room(own);
      send(total_);
      expect(0, own, sums(ranks_, begin));
      break;
    case Kind::scatter:
    case Kind::scatterv:
      room(own);
      send(is_root ? total_ : 0);
      expect(0, own, [&](int i) { return value<Value>(draw_.root, begin + i); });
      break;
    default:  // gathers
      room(total_);
      send(own);
      if (draw_.kind == Kind::allgather || draw_.kind == Kind::allgatherv || is_root) {
        for (std::size_t at = 0; at < peers_.size(); ++at) {
          expect(places_[at], counts_[at], [&](int i) { return value<Value>(peers_[at], i); });
        }
      }
  }
  if (draw_.in_place) put_in_place(values);
}

// Where the own values are to be found in the receive buffer.
template <class Value>
void Operation::put_in_place(Values<Value>& values) {
  const bool is_root = rank_ == draw_.root;
  const bool divides =
      draw_.kind == Kind::reduce_scatter || draw_.kind == Kind::reduce_scatter_block;
  if (reduces(draw_.kind) && !divides) {
    if (draw_.kind != Kind::reduce || is_root) values.received = values.sent;
    if (draw_.kind == Kind::exscan && rank_ == 0) values.expected = values.sent;
  } else if (draw_.kind == Kind::allgather || draw_.kind == Kind::allgatherv) {
    const int begin = places_[static_cast<std::size_t>(rank_)];
    write(values.received, begin, counts_[static_cast<std::size_t>(rank_)],
          [&](int i) { return values.sent[static_cast<std::size_t>(i)]; });
  } else {
    draw_.in_place = false;
  }
}

void* Operation::send_buffer() {
  const bool root_only = draw_.kind == Kind::reduce && rank_ != draw_.root;
  if (draw_.in_place && !root_only) return MPI_IN_PLACE;
  return draw_.floating ? static_cast<void*>(doubles_.sent.data()) : ints_.sent.data();
}

void* Operation::receive_buffer() {
  return draw_.floating ? static_cast<void*>(doubles_.received.data()) : ints_.received.data();
}

MPI_Request Operation::start(Way way) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Datatype type = draw_.floating ? MPI_DOUBLE : MPI_INT;
  if (!draw_.derived || reduces(draw_.kind)) {
    call(type, &request, way);
    return request;
  }
  // A row of one value: laid out as the value is.
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1, type, &row);
  MPI_Type_commit(&row);
  call(row, &request, way);
  if (way == Way::persistent) {
    row_ = row;
  } else {
    MPI_Type_free(&row);
  }
  return request;
}

std::string Operation::problem() const {
  const auto wrong = [this](const auto& values) -> std::string {
    for (std::size_t i = 0; i < values.received.size(); ++i) {
      const double error = std::abs(static_cast<double>(values.received[i] - values.expected[i]));
      if (error <= (draw_.floating ? bound_ : 0)) continue;
      std::ostringstream text;
      text << "kind " << static_cast<int>(draw_.kind) << " of " << draw_.count
           << (draw_.floating ? " doubles" : " ints") << (draw_.in_place ? " in place" : "")
           << (draw_.derived ? " derived" : "") << (draw_.rough ? " rough" : "")
           << (is_between() ? " between groups" : "") << " root " << draw_.root << " salt "
           << draw_.salt << ": value " << i << " of " << values.received.size() << " is "
           << values.received[i] << ", not " << values.expected[i];
      return text.str();
    }
    return {};
  };
  return draw_.floating ? wrong(doubles_) : wrong(ints_);
}

}  // namespace started
