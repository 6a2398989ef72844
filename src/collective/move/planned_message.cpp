#include "collective/move/planned_message.h"

#include "mpi/communicator/communicator.h"

namespace tightwire::collective {
namespace {

// Fits MPI's int counts, whatever the type of its items.
constexpr std::size_t longest_plain = std::size_t{1} << 30;

}  // namespace

PlannedMessage planned_message(const MovementPlan& plan, int partner, const mpi::Buffer& buffer) {
  const std::size_t bytes = partner == MPI_PROC_NULL ? 0 : buffer.bytes();
  if (bytes == 0) return {};
  const MessagePlan message = plan_message(plan, bytes);
  const bool worth_frames =
      plan.communicator->across(partner) && message.plan.tier != policy::Tier::raw;
  if (bytes > longest_plain) return {PlannedMessage::Form::frames, bytes, message.moved.chunks};
  const auto form = worth_frames ? PlannedMessage::Form::frames : PlannedMessage::Form::plain;
  return {form, bytes, message.moved.chunks, worth_frames && message.may_be_unframed};
}

}  // namespace tightwire::collective
