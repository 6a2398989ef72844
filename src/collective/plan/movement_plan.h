// How an operation goes that moves data and computes nothing: decided once, alike on all ranks.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "codec/encoding.h"
#include "collective/plan/decision/decide.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"
#include "policy/choose.h"
#include "policy/tuning/is_profitable.h"

namespace tightwire::collective {

struct MovementPlan {
  policy::Operation operation{};
  mpi::Communicator* communicator = nullptr;  // nullptr: passes through
  Decision decision;                          // where all messages are of one size
  UnevenDecision uneven;                      // where no rank knows all sizes
  const policy::SettingsResolver* resolver = nullptr;
  const std::vector<bool>* at_place = nullptr;  // which rules are for this rank's caller
  policy::Plan plan;  // of the whole call, as all ranks know it; uneven: message by message
  std::chrono::steady_clock::time_point start;     // when the decision was made
  policy::Reason why = policy::Reason::unhandled;  // it passes through
  bool in_background = false;                      // it is carried out there
  bool is_timed = false;                           // policy::Call::is_timed

  [[nodiscard]] bool passes_through() const { return communicator == nullptr; }
  // Of a call that went our own way.
  void note(const Traffic& traffic) const {
    decision.note(traffic);
    uneven.note(traffic);
  }
  // Whether what comes to this rank is to be counted.
  [[nodiscard]] bool counts_arriving() const { return uneven.measured != nullptr; }
  // Senders look at theirs when they send.
  static void look_at_values() {}
  // For the statistics: of a rank's part of that size.
  [[nodiscard]] policy::Plan of_call(std::size_t bytes) const;
};

// Where all messages are of `bytes`. `own` are this rank's values; of no count where it has none.
// Collective unless the size alone says that it passes through. Throws MpiError.
[[nodiscard]] MovementPlan plan_movement(policy::Operation operation, std::size_t bytes,
                                         const mpi::Buffer& own, const CalledOn& on);
// Of a v-operation, of which a rank knows its own part only: all ranks go the same way, and size
// decides message by message. Passes through where the call is not `valid`. Collective; throws
// MpiError.
[[nodiscard]] MovementPlan plan_uneven_if(bool valid, policy::Operation operation,
                                          const CalledOn& on);

// What sender and receiver both know from the size of a message. Only the sender knows its element
// type, so whether there are frames at all must not depend on that: this is the plan that boundable
// data would get, and the sender's own may be a weaker one.
struct MessagePlan {
  policy::Plan plan;
  policy::HandedOn moved{.chunks = 0};  // so: of no bytes
  // In a call that its ranks cannot agree to leave to MPI: its sender may leave the message as it
  // is, and then says so in a frame.
  bool may_be_unframed = false;
};
[[nodiscard]] MessagePlan plan_message(const MovementPlan& plan, std::size_t bytes);

// How the sender encodes its values. Packed data is bytes: only a predefined floating-point type is
// ever reduced within the bound.
struct SenderEncoding {
  policy::Plan plan;
  codec::Encoding encoding;
};
// What the settings offer for the values, and what that promises.
struct OfferedEncoding {
  const settings::Settings* settings = nullptr;  // in force for it
  std::size_t bytes = 0;
  SenderEncoding sender;
  double ratio = 1;
  double transfers = 1;      // one after the other, until the last rank has the message
  int links = 1;             // as of MessageFacts
  int receivers = 1;         // the same
  int senders = 1;           // the same
  bool looks = false;        // for the range that the bound is a part of
  double look_seconds = 0;   // what counts of that
  bool remembers = false;    // it may be predicted from earlier ones
  bool is_optional = false;  // frames are due, but nothing obliges them to be compressed
  // Where a sample may choose another codec: the quickest way, raw where none is quicker than that.
  bool is_sampled = false;
  SenderEncoding quickest;
  double quickest_ratio = 1;

  // That its sender may encode at once.
  [[nodiscard]] std::size_t bytes_at_once() const {
    return bytes * static_cast<std::size_t>(receivers);
  }
};
// Before a look at the values: the encoding has no bound yet.
[[nodiscard]] OfferedEncoding unlooked_encoding(const MovementPlan& plan,
                                                const std::optional<mpi::PredefinedType>& type,
                                                std::size_t bytes);
// Where it takes long to look at the values and what was found of such before says that they go the
// quickest as they are: what they shrink by. Nothing elsewhere.
[[nodiscard]] std::optional<double> ratio_known_to_go_raw(const MovementPlan& plan,
                                                          const OfferedEncoding& offered,
                                                          std::span<const std::byte> values);
// Then settled() leaves them unencoded.
void leave_raw(OfferedEncoding& offered, double ratio);
void look_at(const MovementPlan& plan, std::span<const std::byte> values, OfferedEncoding& offered);
// Bytes per second by which a sender chooses for itself; the whole way counts as one link. 0: the
// network is not known. What travels in the background may hide behind the program's computing,
// what a codec computes does not: so there it is a fast network at least.
[[nodiscard]] double known_link(const MovementPlan& plan, const OfferedEncoding& offered);
// What is offered, or the values unencoded where it is not profitable.
[[nodiscard]] SenderEncoding settled(const MovementPlan& plan, const OfferedEncoding& offered);

// What a receiver learns of the sender's plan from the frames: the codec that was tried.
[[nodiscard]] policy::Plan plan_seen(const policy::Plan& common, codec::Id tried);

}  // namespace tightwire::collective
