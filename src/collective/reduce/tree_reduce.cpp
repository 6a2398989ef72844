#include "collective/reduce/tree_reduce.h"

#include "collective/transfer/tags.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {
namespace {

class TreeReduce {
 public:
  TreeReduce(mpi::Communicator& communicator, const policy::Tree& tree, ReductionFrames& frames)
      : frames_(frames),
        tree_(tree),
        rank_(communicator.rank),
        held_(make_slots(communicator, frames.chunks(), frames.capacity())),
        combined_(communicator, frames.capacity()) {
    for (std::size_t child = 0; child < tree.children.size(); ++child) {
      incoming_.push_back(make_slots(communicator, frames.chunks(), frames.capacity()));
    }
  }

  Schedule<> reduce() {
    for (std::size_t child = 0; child < incoming_.size(); ++child) {
      for (Slot& slot : incoming_[child]) slot.receive(tree_.children[child], tree_tag);
    }
    for (std::size_t chunk = 0; chunk < frames_.chunks(); ++chunk) {
      const std::size_t size = co_await collect(chunk);
      if (tree_.parent < 0) {
        frames_.finish({0, chunk}, {held_[chunk].buffer().first(size), rank_});
      } else {
        frames_.send({0, chunk}, held_[chunk], size, tree_.parent, tree_tag);
      }
    }
    for (Slot& slot : held_) {
      co_await slot.transferred();
    }
  }

 private:
  // This rank's values and those of its subtrees, in held_[chunk]. Returns the frame's size.
  Schedule<std::size_t> collect(std::size_t chunk) {
    const ChunkPlace place{0, chunk};
    if (incoming_.empty()) co_return frames_.start(place, held_[chunk]);
    // The smallest subtree is the first to be ready.
    std::size_t child = incoming_.size() - 1;
    Slot& first = incoming_[child][chunk];
    std::size_t received = co_await first.transferred();
    std::size_t size = frames_.merge(place, first, received, tree_.children[child], held_[chunk]);
    while (child-- > 0) {
      Slot& next = incoming_[child][chunk];
      const int sender = tree_.children[child];
      received = co_await next.transferred();
      received = frames_.accept(place, next, received, sender);
      size = frames_.combine(place, {held_[chunk].buffer().first(size), rank_},
                             {next.buffer().first(received), sender}, combined_);
      held_[chunk].swap_buffers(combined_);
    }
    co_return size;
  }

  ReductionFrames& frames_;
  const policy::Tree& tree_;
  int rank_;
  std::vector<Slot> held_;
  std::vector<std::vector<Slot>> incoming_;  // for each child
  Slot combined_;
};

}  // namespace

Schedule<> tree_reduce(mpi::Communicator& communicator, FrameReducer& reducer,
                       const ReductionMessage& message, int root, mpi::Health& health,
                       Traffic& traffic) {
  const policy::Tree tree = policy::binomial(communicator.rank, root, communicator.size);
  ReductionFrames frames(communicator, reducer, message, health, traffic);
  TreeReduce work(communicator, tree, frames);
  co_await work.reduce();
}

}  // namespace tightwire::collective
