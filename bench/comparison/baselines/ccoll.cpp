#include "comparison/baselines/ccoll.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "comparison/baselines/ring_call.h"

namespace tightwire::comparison {

using mpi::Part;

namespace {

constexpr std::size_t smallest_piece = std::size_t{64} << 10;  // values; smaller ones gain nothing
constexpr std::size_t most_pieces = 16;

// The phases' messages must not be taken for each other's.
constexpr int reducing = 0;
constexpr int gathering = 8192;

}  // namespace

// One call of it.
class Ccoll::Run final : public RingCall {
 public:
  Run(Ccoll& method, const Call& call) : RingCall(*method.coder_, call), method_(method) {}

 private:
  void carry_out() override {
    const auto ranks = static_cast<std::size_t>(call_.ranks);
    cut_into_pieces(mpi::longest_part(call_.count, ranks));
    switch (call_.operation) {
      case Operation::allreduce:
        expect_gathered();
        reduce_scatter([this](std::size_t piece, std::span<const float> sum) {
          const Part own = piece_of(call_.rank, piece);
          std::ranges::copy(sum, call_.result.begin() + static_cast<std::ptrdiff_t>(own.begin));
          launch(piece, sum);
        });
        gather();
        return;
      case Operation::reduce_scatter:
        reduce_scatter([this](std::size_t piece, std::span<const float> sum) {
          const std::size_t begin = piece_of(call_.rank, piece).begin - segment(call_.rank).begin;
          std::ranges::copy(sum, call_.result.begin() + static_cast<std::ptrdiff_t>(begin));
        });
        return;
      case Operation::allgather:
        expect_gathered();
        std::ranges::copy(
            call_.own.first(call_.block()),
            call_.result.begin() + static_cast<std::ptrdiff_t>(segment(call_.rank).begin));
        for (std::size_t piece = 0; piece < pieces_; ++piece) {
          const Part part = mpi::part_of({0, call_.block()}, pieces_, piece);
          launch(piece, call_.own.subspan(part.begin, part.count));
        }
        gather();
        return;
      case Operation::bcast:
        cut_into_pieces(call_.count);
        broadcast();
        return;
      case Operation::scatter:
        scatter();
        return;
      case Operation::gather:
        collect();
        return;
      case Operation::alltoall:
        alltoall();
        return;
    }
  }

  // `length` is that of what is cut.
  void cut_into_pieces(std::size_t length) {
    pieces_ = std::clamp<std::size_t>(length / smallest_piece, 1, most_pieces);
    capacity_ = coder_.capacity(mpi::longest_part(length, pieces_));
  }

  [[nodiscard]] Part piece_of(int index, std::size_t piece) const {
    return mpi::part_of(segment(index), pieces_, piece);
  }
  [[nodiscard]] int tag(int phase, int step, std::size_t piece) const {
    return phase + step * static_cast<int>(pieces_) + static_cast<int>(piece);
  }

  // Buffers are numbered; room for a piece each.
  std::span<std::byte> frame(std::size_t number) {
    if (number >= method_.frames_.size()) method_.frames_.resize(number + 1);
    return method_.frames_[number].reserve(capacity_);
  }

  // partial_ = what came + own.
  std::span<const float> added(std::span<const std::byte> bytes, const Part& part) {
    if (method_.partial_.size() < part.count) method_.partial_.resize(part.count);
    const auto sum = std::span(method_.partial_).first(part.count);
    decode(bytes, sum);
    timed(breakdown_.merge, [&] {
      std::ranges::transform(sum, call_.own.subspan(part.begin, part.count), sum.begin(),
                             std::plus<>());
    });
    return sum;
  }

  // Frames 0 to 4 pieces - 1: two steps' incoming, then two steps' outgoing. `done` takes each
  // piece of this rank's segment of the sum.
  template <class Done>
  void reduce_scatter(Done&& done) {
    const int steps = call_.ranks - 1;
    std::vector<MPI_Request> incoming(2 * pieces_, MPI_REQUEST_NULL);
    std::vector<MPI_Request> outgoing(2 * pieces_, MPI_REQUEST_NULL);
    const auto slot = [this](int step, std::size_t piece) {
      return static_cast<std::size_t>(step % 2) * pieces_ + piece;
    };
    const auto expect = [&](int step, std::size_t piece) {
      if (step >= steps) return;
      incoming[slot(step, piece)] =
          channel_.receive(frame(slot(step, piece)), left(), tag(reducing, step, piece));
    };
    for (std::size_t piece = 0; piece < pieces_; ++piece) expect(0, piece);
    for (std::size_t piece = 0; piece < pieces_; ++piece) expect(1, piece);
    // Step `steps` sends nothing: the sum is complete.
    for (int step = 0; step <= steps; ++step) {
      for (std::size_t piece = 0; piece < pieces_; ++piece) {
        const Part part = piece_of(call_.rank - 1 - step, piece);
        std::span<const float> values = call_.own.subspan(part.begin, part.count);
        if (step > 0) {
          const std::size_t came = slot(step - 1, piece);
          const std::size_t size = channel_.wait(incoming[came]);
          values = added(frame(came).first(size), part);
          expect(step + 1, piece);
        }
        if (step == steps) {
          done(piece, values);
        } else {
          const std::size_t goes = slot(step, piece);
          channel_.wait(outgoing[goes]);
          const auto room = frame(2 * pieces_ + goes);
          const std::size_t size = encode(values, room);
          outgoing[goes] = channel_.send(room.first(size), right(), tag(reducing, step, piece));
        }
        channel_.poll(outgoing);
        channel_.poll(incoming);
      }
    }
    channel_.wait_all(outgoing);
  }

  // Frames of the gathering: this rank's own, then those of each step.
  std::span<std::byte> gathered(int step, std::size_t piece) {
    return frame(4 * pieces_ + static_cast<std::size_t>(step + 1) * pieces_ + piece);
  }

  void expect_gathered() {
    for (int step = 0; step + 1 < call_.ranks; ++step) {
      for (std::size_t piece = 0; piece < pieces_; ++piece)
        static_cast<void>(gathered(step, piece));
    }
    for (int step = 0; step + 1 < call_.ranks; ++step) {
      for (std::size_t piece = 0; piece < pieces_; ++piece) {
        expected_.push_back(
            channel_.receive(gathered(step, piece), left(), tag(gathering, step, piece)));
      }
    }
  }

  // Sends a piece of this rank's own on its way around.
  void launch(std::size_t piece, std::span<const float> values) {
    const auto room = gathered(-1, piece);
    const std::size_t size = encode(values, room);
    forwarded_.push_back(channel_.send(room.first(size), right(), tag(gathering, 0, piece)));
    channel_.poll(expected_);
  }

  void gather() {
    for (int step = 0; step + 1 < call_.ranks; ++step) {
      for (std::size_t piece = 0; piece < pieces_; ++piece) {
        const std::size_t number = static_cast<std::size_t>(step) * pieces_ + piece;
        const std::size_t size = channel_.wait(expected_[number]);
        const auto came = gathered(step, piece).first(size);
        if (step + 2 < call_.ranks) {
          forwarded_.push_back(channel_.send(came, right(), tag(gathering, step + 1, piece)));
        }
        const Part part = piece_of(call_.rank - 1 - step, piece);
        decode(came, call_.result.subspan(part.begin, part.count));
        channel_.poll(expected_);
      }
    }
    channel_.wait_all(forwarded_);
  }

  void broadcast() {
    const Tree tree(call_.rank, call_.ranks);
    const auto part = [this](std::size_t piece) {
      return mpi::part_of({0, call_.count}, pieces_, piece);
    };
    for (std::size_t piece = 0; piece < pieces_; ++piece) static_cast<void>(frame(piece));
    if (tree.parent != MPI_PROC_NULL) {
      for (std::size_t piece = 0; piece < pieces_; ++piece) {
        expected_.push_back(channel_.receive(frame(piece), tree.parent, tag(gathering, 0, piece)));
      }
    }
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      const Part values = part(piece);
      const std::size_t size =
          tree.parent == MPI_PROC_NULL
              ? encode(call_.own.subspan(values.begin, values.count), frame(piece))
              : channel_.wait(expected_[piece]);
      const auto bytes = frame(piece).first(size);
      for (const auto& child : tree.children) {
        forwarded_.push_back(channel_.send(bytes, child.rank, tag(gathering, 0, piece)));
      }
      if (tree.parent != MPI_PROC_NULL) {
        decode(bytes, call_.result.subspan(values.begin, values.count));
      }
      channel_.poll(forwarded_);
    }
    channel_.wait_all(forwarded_);
  }

  // Every block is compressed by the root; their sizes travel ahead of them.
  void scatter() {
    const Tree tree(call_.rank, call_.ranks);
    capacity_ = coder_.capacity(call_.block());
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(tree.below));
    if (tree.parent == MPI_PROC_NULL) {
      scatter_from_root(tree);
      return;
    }
    MPI_Request request =
        channel_.receive(std::as_writable_bytes(std::span(sizes)), tree.parent, gathering);
    channel_.wait(request);
    std::vector<MPI_Request> incoming(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) static_cast<void>(frame(i));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      incoming[i] = channel_.receive(frame(i).first(sizes[i]), tree.parent,
                                     gathering + 1 + call_.rank + static_cast<int>(i));
    }
    for (const auto& child : tree.children) {
      const auto first = static_cast<std::size_t>(child.rank - call_.rank);
      const auto below = std::span(sizes).subspan(first, static_cast<std::size_t>(child.below));
      forwarded_.push_back(channel_.send(std::as_bytes(below), child.rank, gathering));
      for (std::size_t i = first; i < first + below.size(); ++i) {
        channel_.wait(incoming[i]);
        forwarded_.push_back(channel_.send(frame(i).first(sizes[i]), child.rank,
                                           gathering + 1 + call_.rank + static_cast<int>(i)));
      }
    }
    channel_.wait(incoming[0]);
    decode(frame(0).first(sizes[0]), call_.result.first(call_.block()));
    channel_.wait_all(forwarded_);
  }

  void scatter_from_root(const Tree& tree) {
    const std::size_t block = call_.block();
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(call_.ranks));
    for (std::size_t i = 0; i < sizes.size(); ++i) static_cast<void>(frame(i));
    for (const auto& child : tree.children) {
      const auto first = static_cast<std::size_t>(child.rank);
      const auto below = static_cast<std::size_t>(child.below);
      for (std::size_t i = first; i < first + below; ++i) {
        sizes[i] = encode(call_.own.subspan(i * block, block), frame(i));
        channel_.poll(forwarded_);
      }
      forwarded_.push_back(channel_.send(std::as_bytes(std::span(sizes).subspan(first, below)),
                                         child.rank, gathering));
      for (std::size_t i = first; i < first + below; ++i) {
        forwarded_.push_back(channel_.send(frame(i).first(sizes[i]), child.rank,
                                           gathering + 1 + static_cast<int>(i)));
      }
    }
    std::ranges::copy(call_.own.first(block), call_.result.begin());
    channel_.wait_all(forwarded_);
  }

  // Every block is compressed by the rank that has it and expanded by the root; sizes travel ahead.
  void collect() {
    const Tree tree(call_.rank, call_.ranks);
    capacity_ = coder_.capacity(call_.block());
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(tree.below));
    for (std::size_t i = 0; i < sizes.size(); ++i) static_cast<void>(frame(i));
    const bool at_root = tree.parent == MPI_PROC_NULL;
    if (!at_root) sizes[0] = encode(call_.own.first(call_.block()), frame(0));
    const auto tag_of = [](int rank) { return gathering + 1 + rank; };
    // The nearest has the least to collect.
    for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) {
      const auto first = static_cast<std::size_t>(child->rank - call_.rank);
      const auto below = static_cast<std::size_t>(child->below);
      MPI_Request request = channel_.receive(
          std::as_writable_bytes(std::span(sizes).subspan(first, below)), child->rank, gathering);
      channel_.wait(request);
      for (std::size_t i = first; i < first + below; ++i) {
        expected_.push_back(channel_.receive(frame(i).first(sizes[i]), child->rank,
                                             tag_of(call_.rank + static_cast<int>(i))));
      }
      channel_.poll(expected_);
    }
    if (at_root) return expand_collected(sizes);
    forwarded_.push_back(channel_.send(std::as_bytes(std::span(sizes)), tree.parent, gathering));
    channel_.wait_all(expected_);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      forwarded_.push_back(channel_.send(frame(i).first(sizes[i]), tree.parent,
                                         tag_of(call_.rank + static_cast<int>(i))));
    }
    channel_.wait_all(forwarded_);
  }

  // At the root, in the order in which they were expected.
  void expand_collected(std::span<const std::uint64_t> sizes) {
    const std::size_t block = call_.block();
    std::ranges::copy(call_.own.first(block), call_.result.begin());
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      channel_.wait(expected_[i - 1]);
      channel_.poll(expected_);
      decode(frame(i).first(sizes[i]), call_.result.subspan(i * block, block));
    }
  }

  // Blocks of a pairwise exchange, each compressed once; all are expected from the start.
  void alltoall() {
    const auto ranks = static_cast<std::size_t>(call_.ranks);
    const std::size_t block = call_.block();
    capacity_ = coder_.capacity(block);
    const auto at = [&](std::size_t step) {  // a rank so many further on
      return (static_cast<std::size_t>(call_.rank) + step) % ranks;
    };
    for (std::size_t i = 0; i < 2 * ranks; ++i) static_cast<void>(frame(i));
    for (std::size_t step = 1; step < ranks; ++step) {
      expected_.push_back(
          channel_.receive(frame(step), static_cast<int>(at(ranks - step)), gathering));
    }
    const auto own = static_cast<std::ptrdiff_t>(at(0) * block);
    std::ranges::copy(call_.own.subspan(at(0) * block, block), call_.result.begin() + own);
    for (std::size_t step = 1; step < ranks; ++step) {
      const auto room = frame(ranks + step);
      const std::size_t size = encode(call_.own.subspan(at(step) * block, block), room);
      forwarded_.push_back(channel_.send(room.first(size), static_cast<int>(at(step)), gathering));
      channel_.poll(expected_);
    }
    for (std::size_t step = 1; step < ranks; ++step) {
      const std::size_t size = channel_.wait(expected_[step - 1]);
      decode(frame(step).first(size), call_.result.subspan(at(ranks - step) * block, block));
    }
    channel_.wait_all(forwarded_);
  }

  Ccoll& method_;
  std::size_t pieces_ = 1;
  std::size_t capacity_ = 0;
  std::vector<MPI_Request> expected_;
  std::vector<MPI_Request> forwarded_;
};

Breakdown Ccoll::run(const Call& call) {
  return Run(*this, call)();
}

}  // namespace tightwire::comparison
