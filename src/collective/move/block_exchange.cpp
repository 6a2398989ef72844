#include "collective/move/block_exchange.h"

#include <algorithm>

#include "collective/move/plain_messages.h"

namespace tightwire::collective {
namespace {

// Fits MPI's int counts, whatever the type of its items.
constexpr std::size_t longest_plain = std::size_t{1} << 30;

class Mover {
 public:
  Mover(mpi::Communicator& communicator, policy::Operation operation,
        const std::function<Partners(int step)>& partners, Work& work)
      : communicator_(communicator), operation_(operation), partners_(partners), work_(work) {}

  void run(int count) {
    PlainMessages plain(communicator_);
    for (int step = 0; step < count; ++step) begin_plain(partners_(step), plain);
    const Steps steps{count, [this](int step) { return outgoing(partners_(step)); },
                      [this](int step) { return incoming(partners_(step)); },
                      [this](int) { received(); }};
    const codec::Id tried = exchange(communicator_, steps, work_.health, work_.traffic);
    if (!sent_compressed_) work_.plan = plan_seen(work_.plan, tried);
    plain.wait();
  }

 private:
  enum class Form : std::uint8_t { none, plain, frames };

  // Of what passes between this rank and a partner, as both of them know it.
  [[nodiscard]] Form form_of(int partner, const mpi::Buffer& buffer) const {
    const std::size_t bytes = partner == MPI_PROC_NULL ? 0 : buffer.bytes();
    if (bytes == 0) return Form::none;
    const bool worth_frames =
        communicator_.across(partner) &&
        common_plan(operation_, bytes, communicator_.user).tier != policy::Tier::raw;
    return worth_frames || bytes > longest_plain ? Form::frames : Form::plain;
  }

  void begin_plain(const Partners& partners, PlainMessages& plain) const {
    if (form_of(partners.receive_from, partners.receive) == Form::plain) {
      plain.receive(partners.receive, partners.receive_from);
    }
    if (form_of(partners.send_to, partners.send) == Form::plain) {
      plain.send(partners.send, partners.send_to);
    }
  }

  std::optional<Outgoing> outgoing(const Partners& partners) {
    if (form_of(partners.send_to, partners.send) != Form::frames) return std::nullopt;
    sending_.emplace(partners.send, communicator_);
    sending_->load();
    const std::span<const std::byte> values = sending_->bytes();
    const codec::Encoding encoding = coding_for_peer(partners.send_to, values);
    return Outgoing{partners.send_to, values, encoding, chunks_of(values.size())};
  }

  // Through shared memory nothing is gained; it goes in frames for its length alone.
  codec::Encoding coding_for_peer(int peer, std::span<const std::byte> values) {
    if (!communicator_.across(peer)) {
      return {codec::find(codec::Id::raw), codec::ElementType::bytes, {}};
    }
    const SenderEncoding sender =
        sender_encoding(operation_, sending_->type(), values, communicator_);
    if (sender.plan.tier != policy::Tier::raw) {
      sent_compressed_ = true;
      work_.plan = sender.plan;
      work_.largest_bound = std::max(work_.largest_bound, sender.encoding.parameters.error_bound);
    }
    return sender.encoding;
  }

  std::optional<Incoming> incoming(const Partners& partners) {
    if (form_of(partners.receive_from, partners.receive) != Form::frames) return std::nullopt;
    const mpi::ByteView& view = receiving_.emplace_back(partners.receive, communicator_);
    return Incoming{partners.receive_from, view.bytes(), chunks_of(view.bytes().size())};
  }

  void received() {
    if (!work_.health.failed()) receiving_.front().store();
    receiving_.pop_front();
  }

  [[nodiscard]] std::size_t chunks_of(std::size_t bytes) const {
    return policy::chunk_count(runtime::current().settings,
                               common_plan(operation_, bytes, communicator_.user), bytes);
  }

  mpi::Communicator& communicator_;
  policy::Operation operation_;
  const std::function<Partners(int step)>& partners_;
  Work& work_;
  std::optional<mpi::ByteView> sending_;
  std::deque<mpi::ByteView> receiving_;  // of steps under way, in order
  bool sent_compressed_ = false;
};

}  // namespace

void move_in_steps(mpi::Communicator& communicator, policy::Operation operation, int count,
                   const std::function<Partners(int step)>& partners, Work& work) {
  Mover(communicator, operation, partners, work).run(count);
}

}  // namespace tightwire::collective
