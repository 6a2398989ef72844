#include "collective/ring.h"

#include <algorithm>
#include <vector>

namespace tightwire::collective {
namespace {

constexpr int ring_tag = 1;
constexpr int gather_tag = 2;

class Ring {
 public:
  Ring(Communicator& communicator, Hop& hop, const RingMessage& message, Health& health,
       Traffic& traffic)
      : communicator_(communicator),
        hop_(hop),
        message_(message),
        health_(health),
        traffic_(traffic),
        ranks_(static_cast<std::size_t>(communicator.size)),
        rank_(static_cast<std::size_t>(communicator.rank)),
        left_((communicator.rank + communicator.size - 1) % communicator.size),
        right_((communicator.rank + 1) % communicator.size),
        capacity_(hop.max_frame_size(largest_chunk_bytes())),
        incoming_(make_slots(communicator, message.chunks, capacity_)),
        outgoing_(make_slots(communicator, message.chunks, capacity_)) {}

  void allreduce() {
    const std::size_t hops = 2 * (ranks_ - 1);
    begin();
    for (std::size_t hop = 0; hop < hops; ++hop) {
      for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
        const bool last = hop + 1 == hops;
        if (hop < ranks_ - 1) {
          const std::size_t size = merge(hop, chunk, true);
          send(hop, chunk, size, right_);
          if (hop + 2 == ranks_) keep(hop, chunk, outgoing_[chunk].buffer().first(size));
        } else {
          pass_on(hop, chunk, !last);
        }
      }
    }
    drain();
  }

  void reduce_scatter() {
    begin();
    for (std::size_t hop = 0; hop < ranks_ - 1; ++hop) {
      for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
        const bool last = hop + 2 == ranks_;
        const std::size_t size = merge(hop, chunk, !last);
        if (last) {
          finish(rank_, chunk, outgoing_[chunk].buffer().first(size), left_,
                 place_in_segment(part(rank_, chunk)));
        } else {
          send(hop, chunk, size, right_);
        }
      }
    }
    drain();
  }

  void reduce(int root) {
    begin();
    for (std::size_t hop = 0; hop < ranks_ - 1; ++hop) {
      for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
        const bool last = hop + 2 == ranks_;
        const std::size_t size = merge(hop, chunk, !last);
        if (!last) {
          send(hop, chunk, size, right_);
        } else if (communicator_.rank == root) {
          keep(hop, chunk, outgoing_[chunk].buffer().first(size));
        } else {
          send(hop, chunk, size, root, gather_tag);
        }
      }
    }
    if (communicator_.rank == root) collect();
    drain();
  }

 private:
  [[nodiscard]] std::size_t largest_chunk_bytes() const {
    return longest_part(longest_segment(message_.segments), message_.chunks) * message_.item_size;
  }

  // The segment whose frames arrive at this hop.
  [[nodiscard]] std::size_t segment_at(std::size_t hop) const {
    return (rank_ + 2 * ranks_ - hop - 2) % ranks_;
  }

  [[nodiscard]] Part part(std::size_t segment, std::size_t chunk) const {
    return part_of(message_.segments[segment], message_.chunks, chunk);
  }

  [[nodiscard]] std::uint32_t sequence(std::size_t segment, std::size_t chunk) const {
    return static_cast<std::uint32_t>(segment * message_.chunks + chunk);
  }

  [[nodiscard]] std::span<const std::byte> own(std::size_t segment, std::size_t chunk) const {
    const Part p = part(segment, chunk);
    return {message_.own + p.begin * message_.item_size, p.count * message_.item_size};
  }

  [[nodiscard]] std::span<std::byte> result(std::size_t segment, std::size_t chunk) const {
    const Part p = part(segment, chunk);
    return {message_.result + p.begin * message_.item_size, p.count * message_.item_size};
  }

  // Receives for the first hop, and the first segment, the left neighbour's, on its way.
  void begin() {
    const std::size_t first = (rank_ + ranks_ - 1) % ranks_;
    for (Slot& slot : incoming_) slot.receive(left_, ring_tag);
    for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
      const std::size_t size =
          hop_.start(own(first, chunk), sequence(first, chunk), outgoing_[chunk].buffer());
      count_traffic(own(first, chunk).size(), size);
      outgoing_[chunk].send(size, right_, ring_tag);
      incoming_.front().poll();
    }
  }

  // Waits for the frame, merges this rank's values into it, and leaves the outcome in
  // outgoing_[chunk]. Returns its size.
  std::size_t merge(std::size_t hop, std::size_t chunk, bool receive_more) {
    const std::size_t segment = segment_at(hop);
    const std::uint32_t number = sequence(segment, chunk);
    const std::size_t received = incoming_[chunk].wait();
    outgoing_[chunk].wait();
    std::size_t size = 0;
    if (received > capacity_) {
      health_.note({wire::Problem::truncated, left_, number, {}});
    } else {
      const Hop::Merged merged = hop_.merge(incoming_[chunk].buffer().first(received),
                                            own(segment, chunk), number, outgoing_[chunk].buffer());
      if (health_.note(merged.incoming, left_, number)) size = merged.size;
    }
    if (receive_more) incoming_[chunk].receive(left_, ring_tag);
    return size > 0 ? size : failure_frame(outgoing_[chunk], number);
  }

  // A frame of the result: on to the right, and expanded.
  void pass_on(std::size_t hop, std::size_t chunk, bool others_want_it) {
    const std::uint32_t number = sequence(segment_at(hop), chunk);
    std::size_t received = incoming_[chunk].wait();
    outgoing_[chunk].wait();
    incoming_[chunk].swap_buffers(outgoing_[chunk]);
    if (received > capacity_) {
      health_.note({wire::Problem::truncated, left_, number, {}});
      received = failure_frame(outgoing_[chunk], number);
    }
    if (others_want_it) {
      incoming_[chunk].receive(left_, ring_tag);
      send(hop, chunk, received, right_);
    }
    keep(hop, chunk, outgoing_[chunk].buffer().first(received));
  }

  void send(std::size_t hop, std::size_t chunk, std::size_t size, int destination,
            int tag = ring_tag) {
    count_traffic(own(segment_at(hop), chunk).size(), size);
    outgoing_[chunk].send(size, destination, tag);
  }

  void keep(std::size_t hop, std::size_t chunk, std::span<const std::byte> frame) {
    const std::size_t segment = segment_at(hop);
    finish(segment, chunk, frame, left_, result(segment, chunk));
  }

  // Where this rank's part lies if the result buffer holds its segment alone.
  [[nodiscard]] std::span<std::byte> place_in_segment(Part p) const {
    const std::size_t begin = p.begin - message_.segments[rank_].begin;
    return {message_.result + begin * message_.item_size, p.count * message_.item_size};
  }

  void finish(std::size_t segment, std::size_t chunk, std::span<const std::byte> frame, int sender,
              std::span<std::byte> values) {
    const std::uint32_t number = sequence(segment, chunk);
    health_.note(hop_.finish(frame, number, values), sender, number);
  }

  // The root's side of the gather. One rank's frames are expanded while the next one's arrive.
  void collect() {
    const int ranks = communicator_.size;
    const int root = communicator_.rank;
    const auto receive = [&](std::vector<Slot>& slots, int source) {
      for (Slot& slot : slots) slot.receive(source, gather_tag);
    };
    for (Slot& slot : outgoing_) slot.wait();
    if (ranks > 1) receive(incoming_, (root + 1) % ranks);
    for (int step = 1; step < ranks; ++step) {
      if (step + 1 < ranks) receive(outgoing_, (root + step + 1) % ranks);
      expand_all(incoming_, (root + step) % ranks);
      std::swap(incoming_, outgoing_);
    }
  }

  void expand_all(std::vector<Slot>& slots, int source) {
    const auto segment = static_cast<std::size_t>(source);
    for (std::size_t chunk = 0; chunk < message_.chunks; ++chunk) {
      const std::size_t received = slots[chunk].wait();
      if (received > capacity_) {
        health_.note({wire::Problem::truncated, source, sequence(segment, chunk), {}});
      } else {
        finish(segment, chunk, slots[chunk].buffer().first(received), source,
               result(segment, chunk));
      }
    }
  }

  std::size_t failure_frame(Slot& slot, std::uint32_t number) {
    return wire::write_failure(slot.buffer(), number, health_.origin(communicator_.rank));
  }

  void count_traffic(std::size_t before, std::size_t after) {
    traffic_.bytes_before += before;
    traffic_.bytes_after += after;
  }

  void drain() {
    for (Slot& slot : outgoing_) slot.wait();
  }

  Communicator& communicator_;
  Hop& hop_;
  const RingMessage& message_;
  Health& health_;
  Traffic& traffic_;
  std::size_t ranks_;
  std::size_t rank_;
  int left_;
  int right_;
  std::size_t capacity_;
  std::vector<Slot> incoming_;
  std::vector<Slot> outgoing_;
};

}  // namespace

std::vector<Part> even_segments(std::size_t items, int ranks) {
  const auto parts = static_cast<std::size_t>(ranks);
  std::vector<Part> segments;
  for (std::size_t i = 0; i < parts; ++i) segments.push_back(part_of({0, items}, parts, i));
  return segments;
}

std::size_t longest_segment(const std::vector<Part>& segments) {
  std::size_t longest = 0;
  for (const Part& segment : segments) longest = std::max(longest, segment.count);
  return longest;
}

void ring_allreduce(Communicator& communicator, Hop& hop, const RingMessage& message,
                    Health& health, Traffic& traffic) {
  Ring(communicator, hop, message, health, traffic).allreduce();
}

void ring_reduce(Communicator& communicator, Hop& hop, const RingMessage& message, int root,
                 Health& health, Traffic& traffic) {
  Ring(communicator, hop, message, health, traffic).reduce(root);
}

void ring_reduce_scatter(Communicator& communicator, Hop& hop, const RingMessage& message,
                         Health& health, Traffic& traffic) {
  Ring(communicator, hop, message, health, traffic).reduce_scatter();
}

}  // namespace tightwire::collective
