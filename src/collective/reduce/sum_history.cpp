#include "collective/reduce/sum_history.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "codec/codec_work.h"
#include "codec/history/sums_in_time.h"
#include "collective/transfer/sum_frame.h"
#include "policy/tuning/is_profitable.h"
#include "runtime/report/phase.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// Each of them answers for each place.
constexpr std::size_t most_receivers = 64;
constexpr int several = -1;
constexpr std::size_t payload_at = wire::header_size + wire::history_size;

std::vector<int> others_of(const mpi::Communicator& communicator) {
  std::vector<int> ranks = communicator.hosts->world_ranks();
  ranks.erase(ranks.begin() + communicator.rank);
  return ranks;
}

// Of an encoding that stands in its place.
std::size_t seal(const SumHistory::Outgoing& sums, const wire::HistoryBlock& block,
                 std::size_t encoded, codec::ElementType type) {
  const auto bytes = wire::write_history(block);
  std::ranges::copy(bytes, sums.buffer.subspan(wire::header_size).begin());
  return seal_sums(sums.buffer, wire::history_size + encoded, wire::Kind::remembered, type,
                   sums.value_bytes, sums.sequence);
}

}  // namespace

SumHistory::SumHistory(const ReductionPlan& plan)
    : communicator_(*plan.decision.communicator),
      encoding_(plan.encoding),
      operation_(grid_operation(plan.reduction.kind)),
      call_(plan.reduction.operation),
      pipelined_(plan.chunks > 1),
      link_(plan.decision.tuner != nullptr ? communicator_.network.bandwidth : 0) {}

std::span<std::byte> SumHistory::scratch(mpi::BufferPool::Lease& lease, std::size_t size) const {
  if (lease.bytes().size() < size) lease = communicator_.scratch.insist(size);
  return lease.bytes().first(size);
}

// Of a kind that no message of the program's or block of a collective has.
int SumHistory::tag_of(std::size_t place) const {
  constexpr std::size_t places = std::size_t{1} << 14;
  const std::size_t of_call =
      communicator_.serial * policy::operation_count + static_cast<std::size_t>(call_);
  return -1 - static_cast<int>((of_call * places + place % places) & 0x7fffffff);
}

bool SumHistory::pays(const Outgoing& sums, double ratio) const {
  return link_ == 0 || policy::sums_pay_in_time(
                           {encoding_.type, sums.value_bytes, sums.size, pipelined_, link_}, ratio);
}

std::size_t SumHistory::remember(const Outgoing& sums, int receiver) {
  const std::array ranks{communicator_.hosts->world_rank(receiver)};
  const mpi::MessageHistory::Key key{ranks[0], &communicator_, tag_of(sums.place), encoding_.type};
  return remember(sums, {key, ranks}, [&](std::span<const std::byte> encoded) {
    const std::span<std::byte> values = scratch(values_, sums.value_bytes);
    const codec::Result decoded = encoding_.codec->decode(encoding_.type, encoded, values);
    codec::note_work(codec::Work::decode, values.size());
    return decoded.ok() ? std::span<const std::byte>(values) : std::span<const std::byte>();
  });
}

std::size_t SumHistory::remember_for_all(const Outgoing& result,
                                         std::span<const std::byte> values) {
  const std::vector<int> ranks = others_of(communicator_);
  if (ranks.size() > most_receivers) return result.size;
  const mpi::MessageHistory::Key key{several, &communicator_, tag_of(result.place), encoding_.type};
  return remember(result, {key, ranks}, [&](auto) { return values; });
}

template <class Values>
std::size_t SumHistory::remember(const Outgoing& sums, const Way& way, Values values_of) {
  if (sums.value_bytes == 0 || !pays(sums, std::numeric_limits<double>::infinity())) {
    return sums.size;
  }
  const runtime::ScopedPhase phase(runtime::Phase::encode, sums.value_bytes);
  const OpenedSums opened =
      open_sums(sums.buffer.first(sums.size), {encoding_.type, sums.value_bytes, sums.sequence});
  if (opened.state.problem) return sums.size;
  std::span<const std::byte> values;
  mpi::SentHistory history;
  history.look(way.key, way.receivers, sums.value_bytes, encoding_.parameters,
               [&] { return values = values_of(opened.encoded); });
  if (!history.is_open() || values.empty()) return sums.size;
  if (!history.to_keep()) {
    history.pass(values);
    return sums.size;
  }
  std::span<const std::byte> encoded = opened.encoded;
  const bool smaller =
      static_cast<double>(sums.value_bytes) < history.ratio() * static_cast<double>(sums.size);
  if (history.ratio() > 0 && smaller && pays(sums, history.ratio())) {
    const auto left = left_of(encoded, sums, history);
    if (!left.empty()) encoded = left;
  }
  std::copy_backward(
      encoded.begin(), encoded.end(),
      sums.buffer.subspan(payload_at).begin() + static_cast<std::ptrdiff_t>(encoded.size()));
  const std::size_t size = seal(sums, history.send(values), encoded.size(), encoding_.type);
  history.accepted();
  if (history.is_predicted()) {
    const double ratio_alone =
        static_cast<double>(sums.value_bytes) / static_cast<double>(sums.size);
    runtime::current().statistics.count_predicted(sums.value_bytes, size, ratio_alone);
  }
  return size;
}

std::span<const std::byte> SumHistory::left_of(std::span<const std::byte> encoded,
                                               const Outgoing& sums, mpi::SentHistory& history) {
  history.predict();
  const codec::ReferenceParts references = history.references(0, sums.value_bytes);
  codec::Parameters parameters = encoding_.parameters;
  parameters.references = references.all();
  // What is hardly shorter is not worth the copies.
  const std::span<std::byte> room = scratch(left_, encoded.size() - encoded.size() / 16);
  const codec::Result left =
      codec::bounded::leave_of_sums(encoding_.type, encoded, parameters, room);
  codec::note_work(codec::Work::combine, sums.value_bytes);
  if (left.ok()) return room.first(left.size);
  history.do_not_predict();
  return {};
}

// A frame that arrives, with what it is predicted from.
struct SumHistory::Arriving {
  OpenedSums opened;
  std::optional<mpi::ReceivedHistory> history;
  bool is_predicted = false;
};

SumHistory::Arriving SumHistory::arrive(std::span<const std::byte> frame, int sender,
                                        std::size_t value_bytes, std::uint32_t sequence) const {
  Arriving sums{open_sums(frame, {encoding_.type, value_bytes, sequence}), std::nullopt, false};
  const wire::HistoryBlock block = *wire::history_of(frame);
  sums.history.emplace(communicator_.hosts->world_rank(sender), block);
  sums.is_predicted = block.references > 0;
  if (!sums.opened.state.problem && !sums.history->find_references(value_bytes)) {
    sums.opened.state = {wire::Problem::no_reference, {}, codec::Id::bounded};
  }
  return sums;
}

wire::Unpacked SumHistory::decode(const Arriving& sums, std::span<std::byte> values) const {
  if (sums.opened.state.problem) return sums.opened.state;
  codec::Parameters parameters = encoding_.parameters;
  const codec::ReferenceParts references = sums.history->references(0, values.size());
  parameters.references = references.all();
  const codec::Result decoded =
      sums.is_predicted
          ? codec::bounded::decode_sums(encoding_.type, sums.opened.encoded, parameters, values)
          : encoding_.codec->decode(encoding_.type, sums.opened.encoded, values);
  codec::note_work(codec::Work::decode, values.size());
  return decoded.ok() ? wire::Unpacked{} : undecodable_sums;
}

wire::Unpacked SumHistory::finish(std::span<const std::byte> frame, int sender,
                                  std::uint32_t sequence, std::span<std::byte> values) {
  const runtime::ScopedPhase phase(runtime::Phase::decode, values.size());
  const Arriving sums = arrive(frame, sender, values.size(), sequence);
  const wire::Unpacked state = decode(sums, values);
  state.problem ? sums.history->leave() : sums.history->keep(values);
  return state;
}

template <class Combine, class CombineInTime>
FrameReducer::Merged SumHistory::combined(const Arriving& sums, std::span<const std::byte> own,
                                          std::uint32_t sequence, std::span<std::byte> frame,
                                          Combine combine, CombineInTime combine_in_time) {
  const runtime::ScopedPhase phase(runtime::Phase::combine, own.size());
  const std::span<std::byte> arrived = scratch(values_, own.size());
  const auto failed = [&](const wire::Unpacked& state) {
    sums.history->leave();
    return FrameReducer::Merged{state, 0};
  };
  if (sums.opened.state.problem) return failed(sums.opened.state);
  const std::span<std::byte> body = frame.empty() ? frame : frame.subspan(wire::header_size);
  codec::Parameters parameters = encoding_.parameters;
  codec::Result result;
  if (sums.is_predicted) {
    const codec::ReferenceParts references = sums.history->references(0, own.size());
    parameters.references = references.all();
    result = combine_in_time(sums.opened.encoded, parameters, body, arrived);
  } else if (const wire::Unpacked state = decode(sums, arrived); state.problem) {
    return failed(state);
  } else {
    result = combine(sums.opened.encoded, parameters, body);
  }
  if (!result.ok()) return failed(undecodable_sums);
  sums.history->keep(arrived);
  if (frame.empty()) return {{}, 0};
  return {{},
          seal_sums(frame, result.size, wire::Kind::data, encoding_.type, own.size(), sequence)};
}

FrameReducer::Merged SumHistory::merge(std::span<const std::byte> incoming, int sender,
                                       std::span<const std::byte> own, std::uint32_t sequence,
                                       std::span<std::byte> frame) {
  codec::note_work(codec::Work::merge, own.size());
  return combined(
      arrive(incoming, sender, own.size(), sequence), own, sequence, frame,
      [&](auto encoded, const codec::Parameters& parameters, auto body) {
        return codec::bounded::combine_values(operation_, encoding_.type, encoded, own, parameters,
                                              body);
      },
      [&](auto left, const codec::Parameters& parameters, auto body, auto arrived) {
        return codec::bounded::combine_values_in_time(operation_, encoding_.type, left, own,
                                                      parameters, body, arrived);
      });
}

FrameReducer::Merged SumHistory::complete(std::span<const std::byte> incoming, int sender,
                                          std::span<const std::byte> own, std::uint32_t sequence,
                                          std::span<std::byte> frame, std::span<std::byte> values) {
  codec::note_work(codec::Work::complete, own.size());
  return combined(
      arrive(incoming, sender, own.size(), sequence), own, sequence, frame,
      [&](auto encoded, const codec::Parameters& parameters, auto body) {
        return codec::bounded::complete_values(operation_, encoding_.type, encoded, own, parameters,
                                               body, values);
      },
      [&](auto left, const codec::Parameters& parameters, auto body, auto arrived) {
        return codec::bounded::complete_values_in_time(operation_, encoding_.type, left, own,
                                                       parameters, body, values, arrived);
      });
}

}  // namespace tightwire::collective
