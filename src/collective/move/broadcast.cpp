#include "collective/move/broadcast.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "collective/move/along_tree.h"
#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/node_lanes.h"
#include "os/waiting/spin_then_sleep.h"
#include "policy/cost/handing_on.h"
#include "timeline/events.h"

namespace tightwire::collective {
namespace {

// What one of so many trees may have under way. Along a single one a rank that does some of the
// work sends all that it has: its link would be idle meanwhile. Of two, what waits in one holds up
// the other.
std::optional<UnderWay> most_under_way(bool keeps_looking, std::size_t trees) {
  if (!keeps_looking && trees == 1) return std::nullopt;
  return UnderWay{policy::most_under_way / trees, policy::most_bytes_under_way / trees};
}

// Where a rank is near the root in one tree and far from it in the other it has chunks of the one
// long before those of the other that are decoded first: about one for each level.
std::size_t slots_of_tree(std::size_t chunks, std::size_t trees, int ranks) {
  if (trees == 1) return window(chunks);
  const auto levels = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(ranks)));
  return std::min((chunks + trees - 1) / trees, window(chunks) / trees + levels);
}

// Chunks take turns, one tree after the other. Each is handed on as it comes, but decoded in the
// order of the message.
class Broadcast {
 public:
  Broadcast(mpi::Communicator& communicator, const BroadcastMessage& message, std::size_t capacity,
            bool keeps_looking, Traffic& traffic)
      : communicator_(communicator),
        message_(message),
        traffic_(traffic),
        capacity_(capacity),
        keeps_looking_(keeps_looking) {
    const std::size_t count = message.trees.size();
    for (std::size_t tree = 0; tree < count; ++tree) {
      const std::size_t chunks = (message.chunks + count - 1 - tree) / count;
      const AlongTree::Course course{&message.trees[tree], broadcast_tags[tree], chunks,
                                     slots_of_tree(message.chunks, count, communicator.size)};
      trees_.emplace_back(communicator, course, capacity, most_under_way(keeps_looking, count));
      places_ += course.slots;
    }
    unpacked_.resize(places_);
  }

  Schedule<> send_all(FrameEncoder& encoder) {
    while (coded_ < message_.chunks) {
      co_await until([this] { return is_free(coded_); });
      encode(encoder);
    }
    co_await until([this] { return is_all_sent(); });
  }

  Schedule<> take_all(FrameDecoder& decoder, mpi::Health& health) {
    while (coded_ < message_.chunks) {
      co_await until([&] { return find(decoder, health) > coded_; });
      decode(decoder, health);
    }
    co_await until([this] { return is_all_sent(); });
  }

  [[nodiscard]] codec::Id tried() const { return tried_; }

 private:
  // Waits for what looks bring about: chunks go on meanwhile.
  template <class Look>
  class Looked final : public Transfer {
   public:
    Looked(Broadcast& broadcast, Look look) : broadcast_(broadcast), look_(look) {}
    [[nodiscard]] bool test() override {
      broadcast_.hand_on();
      return look_();
    }
    void wait() {
      if (test()) return;
      const timeline::Span span("wait", timeline::Kind::network);
      os::SpinThenSleep spin;
      std::size_t before = broadcast_.moved();
      do {
        broadcast_.ends_pause();
        spin.pause();
        if (broadcast_.moved() > before) spin = os::SpinThenSleep();
        before = broadcast_.moved();
      } while (!test());
    }

   private:
    Broadcast& broadcast_;
    Look look_;
  };

  AlongTree& tree_of(std::size_t chunk) { return trees_[chunk % trees_.size()]; }
  // Its number in that tree.
  [[nodiscard]] std::size_t place_of(std::size_t chunk) const { return chunk / trees_.size(); }
  std::size_t& size_of(std::size_t chunk) { return tree_of(chunk).size_of(place_of(chunk)); }
  std::span<std::byte> buffer(std::size_t chunk) { return tree_of(chunk).buffer(place_of(chunk)); }
  std::span<const std::byte> frame(std::size_t chunk) {
    return tree_of(chunk).frame(place_of(chunk));
  }
  wire::Unpacked& unpacked(std::size_t chunk) { return unpacked_[chunk % places_]; }
  [[nodiscard]] int sender_of(std::size_t chunk) {
    return communicator_.program_rank(tree_of(chunk).tree().parent);
  }
  [[nodiscard]] std::size_t chunk_bytes() const {
    return mpi::longest_byte_part(message_.values.size(), message_.chunks);
  }

  void hand_on() {
    for (AlongTree& tree : trees_) tree.hand_on();
  }
  void ends_pause() {
    for (AlongTree& tree : trees_) tree.ends_pause();
  }
  [[nodiscard]] std::size_t moved() const {
    return std::accumulate(
        trees_.begin(), trees_.end(), std::size_t{0},
        [](std::size_t sum, const AlongTree& tree) { return sum + tree.moved(); });
  }
  [[nodiscard]] bool is_free(std::size_t chunk) { return tree_of(chunk).is_free(place_of(chunk)); }
  [[nodiscard]] bool is_all_sent() const {
    return std::ranges::all_of(trees_, [](const AlongTree& tree) { return tree.is_all_sent(); });
  }

  template <class Look>
  Schedule<> until(Look look) {
    Looked<Look> looked(*this, look);
    co_await Awaiting<Looked<Look>>{looked};
  }

  // Finds what has come. Returns how many of the first chunks are here.
  std::size_t find(FrameDecoder& decoder, mpi::Health& health) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) find(tree, health);
    while (framed_ < message_.chunks && tree_of(framed_).framed() > place_of(framed_))
      decoder.expect(frame(framed_++));
    return framed_;
  }

  void find(std::size_t tree, mpi::Health& health) {
    AlongTree& along = trees_[tree];
    const auto coded = (coded_ + trees_.size() - 1 - tree) / trees_.size();
    along.receive_where_free(coded);
    while (along.finds_next()) {
      take((along.framed() - 1) * trees_.size() + tree, health);
      along.hand_on();
    }
  }

  // A chunk that has come. It is handed on before it is checked: whoever receives it checks it too.
  void take(std::size_t chunk, mpi::Health& health) {
    if (size_of(chunk) > capacity_) {
      const std::uint32_t sequence = communicator_.sequence(chunk);
      health.note({wire::Problem::truncated, sender_of(chunk), sequence, {}});
      size_of(chunk) = wire::write_failure(
          buffer(chunk), sequence, health.origin(communicator_.program_rank(communicator_.rank)));
    }
    note_traffic(chunk);
  }

  void note_traffic(std::size_t chunk) {
    const std::size_t sends = tree_of(chunk).tree().children.size();
    traffic_.bytes_before +=
        sends * mpi::byte_range(message_.values.size(), message_.chunks, chunk).count;
    traffic_.bytes_after += sends * size_of(chunk);
  }

  // All from the next one on, as slots get free.
  void encode(FrameEncoder& encoder) {
    const std::size_t end = encoder.is_for_several_threads() ? message_.chunks : coded_ + 1;
    std::size_t free = coded_ + 1;
    together_as_they_come(
        {coded_, end}, places_, chunk_bytes(), Beside::nothing,
        [&] {
          hand_on();
          for (AlongTree& tree : trees_) tree.poll();
          while (free < end && free < coded_ + places_ && is_free(free)) ++free;
          return free;
        },
        [&](std::size_t chunk) {
          size_of(chunk) = encoder.encode(chunk, communicator_.sequence(chunk), buffer(chunk));
        },
        [&](std::size_t chunk) {
          encoder.encoded(chunk, size_of(chunk));
          note_traffic(chunk);
          tree_of(chunk).encoded();
          ++coded_;
          hand_on();
        });
  }

  // All from the next one on, as they come.
  void decode(FrameDecoder& decoder, mpi::Health& health) {
    together_as_they_come(
        {coded_, message_.chunks}, places_, chunk_bytes(),
        keeps_looking_ && hands_on() ? Beside::hands_on : Beside::nothing,
        [&] {
          hand_on();
          return find(decoder, health);
        },
        [&](std::size_t chunk) {
          unpacked(chunk) = decoder.decode(frame(chunk), communicator_.sequence(chunk), chunk);
        },
        [&](std::size_t chunk) {
          decoder.decoded(chunk, unpacked(chunk));
          if (health.note(unpacked(chunk), sender_of(chunk), communicator_.sequence(chunk)))
            tried_ = unpacked(chunk).tried;
          ++coded_;
        });
  }

  [[nodiscard]] bool hands_on() const {
    return std::ranges::any_of(message_.trees,
                               [](const policy::Tree& tree) { return !tree.children.empty(); });
  }

  mpi::Communicator& communicator_;
  const BroadcastMessage& message_;
  Traffic& traffic_;
  std::size_t capacity_;
  bool keeps_looking_;
  std::vector<AlongTree> trees_;
  std::size_t places_ = 0;                // for so many chunks in a row
  std::vector<wire::Unpacked> unpacked_;  // by place
  // How many of the first chunks: here in frames, decoded or encoded.
  std::size_t framed_ = 0;
  std::size_t coded_ = 0;
  codec::Id tried_ = codec::Id::raw;
};

}  // namespace

std::vector<policy::Tree> broadcast_trees(const mpi::Communicator& communicator, int root,
                                          const policy::HandedOn& message) {
  const mpi::NodeLanes* const lanes = communicator.lanes();
  if (lanes == nullptr) {
    return policy::best_trees(communicator.rank, root, communicator.size, message);
  }
  return policy::trees_over_hosts({lanes->host, lanes->local}, lanes->place_of(root), lanes->ranks,
                                  message);
}

Schedule<> broadcast_from_root(mpi::Communicator& communicator, const BroadcastMessage& message,
                               FrameEncoder& encoder, Traffic& traffic) {
  ++communicator.calls;
  const bool keeps_looking =
      runtime::is_left_to_helpers(message.chunks) && encoder.is_for_several_threads();
  Broadcast work(communicator, message, encoder.capacity(), keeps_looking, traffic);
  co_await work.send_all(encoder);
}

Schedule<codec::Id> broadcast_to_others(mpi::Communicator& communicator,
                                        const BroadcastMessage& message, FrameDecoder& decoder,
                                        mpi::Health& health, Traffic& traffic) {
  ++communicator.calls;
  Broadcast work(communicator, message, decoder.capacity(),
                 runtime::is_left_to_helpers(message.chunks), traffic);
  co_await work.take_all(decoder, health);
  co_return work.tried();
}

}  // namespace tightwire::collective
