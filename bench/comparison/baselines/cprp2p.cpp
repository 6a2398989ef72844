#include "comparison/baselines/cprp2p.h"

#include <algorithm>
#include <array>
#include <functional>

#include "comparison/baselines/ring_call.h"

namespace tightwire::comparison {

using mpi::Part;

// One call of it.
class Cprp2p::Run final : public RingCall {
 public:
  Run(Cprp2p& method, const Call& call) : RingCall(*method.coder_, call), method_(method) {}

 private:
  void carry_out() override {
    switch (call_.operation) {
      case Operation::allreduce:
        reduce_scatter();
        allgather();
        return;
      case Operation::reduce_scatter:
        reduce_scatter();
        std::ranges::copy(own_part_of(method_.partial_), call_.result.begin());
        return;
      case Operation::allgather:
        std::ranges::copy(call_.own.first(call_.block()), own_part_of(call_.result).begin());
        pass_around();
        return;
      case Operation::bcast:
        broadcast();
        return;
      case Operation::scatter:
        scatter();
        return;
      case Operation::gather:
        gather();
        return;
      case Operation::alltoall:
        alltoall();
        return;
    }
  }

  template <class Values>
  [[nodiscard]] std::span<float> own_part_of(Values& values) const {
    const Part own = segment(call_.rank);
    return std::span<float>(values).subspan(own.begin, own.count);
  }
  std::span<const std::byte> encoded(std::span<const float> values) {
    const auto room = method_.outgoing_.reserve(coder_.capacity(values.size()));
    return room.first(encode(values, room));
  }
  void expand(std::size_t size, std::span<float> values) {
    decode(method_.incoming_.bytes(size), values);
  }

  void exchange(std::span<const float> sent, std::span<float> received) {
    exchange(sent, right(), received, left());
  }
  void exchange(std::span<const float> sent, int to, std::span<float> received, int from) {
    const auto room = method_.incoming_.reserve(coder_.capacity(received.size()));
    const auto frame = encoded(sent);
    MPI_Request incoming = channel_.receive(room, from, 0);
    MPI_Request outgoing = channel_.send(frame, to, 0);
    const std::size_t size = channel_.wait(incoming);
    channel_.wait(outgoing);
    expand(size, received);
  }
  void send(std::span<const float> values, int to) {
    MPI_Request request = channel_.send(encoded(values), to, 0);
    channel_.wait(request);
  }
  void receive(std::span<float> values, int from) {
    const auto room = method_.incoming_.reserve(coder_.capacity(values.size()));
    MPI_Request request = channel_.receive(room, from, 0);
    expand(channel_.wait(request), values);
  }

  // Leaves this rank's segment of the sum in partial_.
  void reduce_scatter() {
    std::vector<float>& partial = method_.partial_;
    partial.resize(call_.count);
    method_.received_.resize(mpi::longest_part(call_.count, segments()));
    for (int step = 0; step + 1 < call_.ranks; ++step) {
      const Part out = segment(call_.rank - 1 - step);
      const Part in = segment(call_.rank - 2 - step);
      const auto sent = step == 0 ? call_.own.subspan(out.begin, out.count)
                                  : std::span<const float>(partial).subspan(out.begin, out.count);
      const auto received = std::span(method_.received_).first(in.count);
      exchange(sent, received);
      timed(breakdown_.merge, [&] {
        std::ranges::transform(received, call_.own.subspan(in.begin, in.count),
                               partial.begin() + static_cast<std::ptrdiff_t>(in.begin),
                               std::plus<>());
      });
    }
  }

  void allgather() {
    std::ranges::copy(own_part_of(method_.partial_), own_part_of(call_.result).begin());
    pass_around();
  }

  // Every segment of the result to every rank, from the one it stands at.
  void pass_around() {
    for (int step = 0; step + 1 < call_.ranks; ++step) {
      const Part out = segment(call_.rank - step);
      const Part in = segment(call_.rank - 1 - step);
      exchange(call_.result.subspan(out.begin, out.count),
               call_.result.subspan(in.begin, in.count));
    }
  }

  void broadcast() {
    const Tree tree(call_.rank, call_.ranks);
    const auto values = call_.result.first(call_.count);
    if (tree.parent != MPI_PROC_NULL) receive(values, tree.parent);
    for (const auto& child : tree.children) {
      send(call_.rank == root ? call_.own.first(call_.count) : values, child.rank);
    }
  }

  void scatter() {
    const Tree tree(call_.rank, call_.ranks);
    const std::size_t block = call_.block();
    std::span<const float> blocks = call_.own.first(call_.count);
    if (tree.parent != MPI_PROC_NULL) {
      method_.received_.resize(block * static_cast<std::size_t>(tree.below));
      receive(method_.received_, tree.parent);
      blocks = method_.received_;
    }
    for (const auto& child : tree.children) {
      const auto first = static_cast<std::size_t>(child.rank - call_.rank) * block;
      send(blocks.subspan(first, static_cast<std::size_t>(child.below) * block), child.rank);
    }
    std::ranges::copy(blocks.first(block), call_.result.begin());
  }

  // Up the tree that scatter() goes down.
  void gather() {
    const Tree tree(call_.rank, call_.ranks);
    const std::size_t block = call_.block();
    method_.received_.resize(block * static_cast<std::size_t>(tree.below));
    const std::span<float> blocks =
        tree.parent == MPI_PROC_NULL ? call_.result.first(call_.count) : method_.received_;
    std::ranges::copy(call_.own.first(block), blocks.begin());
    // The nearest has the least to collect.
    for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) {
      const auto first = static_cast<std::size_t>(child->rank - call_.rank) * block;
      receive(blocks.subspan(first, static_cast<std::size_t>(child->below) * block), child->rank);
    }
    if (tree.parent != MPI_PROC_NULL) send(blocks, tree.parent);
  }

  // Pairwise: in each step every rank sends to another one.
  void alltoall() {
    const std::size_t block = call_.block();
    const auto block_of = [&](auto values, int rank) {
      return values.subspan(static_cast<std::size_t>(rank) * block, block);
    };
    std::ranges::copy(block_of(call_.own, call_.rank), block_of(call_.result, call_.rank).begin());
    for (int step = 1; step < call_.ranks; ++step) {
      const int to = (call_.rank + step) % call_.ranks;
      const int from = (call_.rank + call_.ranks - step) % call_.ranks;
      exchange(block_of(call_.own, to), to, block_of(call_.result, from), from);
    }
  }

  [[nodiscard]] std::size_t segments() const { return static_cast<std::size_t>(call_.ranks); }

  Cprp2p& method_;
};

Breakdown Cprp2p::run(const Call& call) {
  return Run(*this, call)();
}

}  // namespace tightwire::comparison
