#include "collective/move/along_tree.h"

namespace tightwire::collective {

AlongTree::AlongTree(mpi::Communicator& communicator, const Course& course, std::size_t capacity,
                     std::optional<UnderWay> most)
    : course_(course),
      most_(most),
      slots_(make_slots(communicator, course.slots, capacity)),
      sizes_(course.slots) {}

bool AlongTree::finds_next() {
  if (framed_ == received_ || !slot_of(framed_).test()) return false;
  size_of(framed_) = slot_of(framed_).wait();
  ++framed_;
  return true;
}

void AlongTree::receive_where_free(std::size_t decoded) {
  while (received_ < course_.chunks && received_ < decoded + slots_.size() && is_free(received_))
    slot_of(received_++).receive(tree().parent, course_.tag);
}

void AlongTree::hand_on() {
  for (look_for_sent(); handed_on_ < framed_ && !is_enough_under_way(); look_for_sent())
    send(handed_on_++);
}

void AlongTree::poll() {
  for (Slot& slot : slots_) slot.poll();
}

void AlongTree::ends_pause() {
  if (framed_ < received_) slot_of(framed_).ends_pause();
  if (sent_ < handed_on_) slot_of(sent_).ends_pause();
}

bool AlongTree::is_enough_under_way() {
  if (!most_) return false;
  std::size_t bytes = 0;
  for (std::size_t chunk = sent_; chunk < handed_on_; ++chunk) bytes += size_of(chunk);
  return handed_on_ - sent_ >= most_->frames && bytes >= most_->bytes;
}

void AlongTree::send(std::size_t chunk) {
  Slot& slot = slot_of(chunk);
  if (tree().in_turn) return slot.send_in_turn(size_of(chunk), tree().children, course_.tag);
  for (const int child : tree().children) slot.send(size_of(chunk), child, course_.tag);
}

void AlongTree::look_for_sent() {
  while (sent_ < handed_on_ && slot_of(sent_).test()) ++sent_;
}

}  // namespace tightwire::collective
