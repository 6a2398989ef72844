// Latency, bandwidth in one direction and in both, and the rate of messages, between two ranks; the
// others look on.
#include <algorithm>

#include "calibrate/measure/world.h"
#include "p2p/pattern.h"
#include "support/measure.h"

namespace tightwire::p2p_bench {
namespace {

constexpr std::size_t most_window = 64;
// A window of large messages would take seconds at 1 Gbit/s.
constexpr std::size_t most_window_bytes = std::size_t{64} << 20;
constexpr std::size_t small_message = std::size_t{64} << 10;
constexpr int answer_tag = 1;

class Pair : public Pattern {
 public:
  Pair(std::size_t bytes, const Values& values)
      : values_(values),
        bytes_(bytes),
        count_(static_cast<int>(bytes / values.size)),
        rank_(bench::world_rank()),
        peer_(1 - rank_) {}

  void spoil() override { std::fill(in_.begin(), in_.end(), std::byte{0xFF}); }

 protected:
  [[nodiscard]] bool takes_part() const { return rank_ <= 1; }
  [[nodiscard]] double error_of(std::size_t message) const {
    return p2p_bench::largest_error(values_, in_.data() + message * bytes_, values_.bytes.data(),
                                    bytes_);
  }

  const Values& values_;  // the same on both ranks
  std::size_t bytes_;
  int count_;
  int rank_;
  int peer_;
  std::vector<std::byte> in_;
};

class Latency : public Pair {
 public:
  Latency(std::size_t bytes, const Values& values) : Pair(bytes, values) {
    rounds_ = bytes < small_message ? 200 : 1;
    in_.resize(bytes);
  }
  [[nodiscard]] Unit unit() const override { return Unit::microseconds; }
  [[nodiscard]] double amount() const override { return 2.0 * rounds_; }

  void perform(const Functions& mpi) override {
    if (!takes_part()) return;
    for (int i = 0; i < rounds_; ++i) {
      if (rank_ == 0) send(mpi);
      mpi.recv(in_.data(), count_, values_.type, peer_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank_ == 1) send(mpi);
    }
  }
  [[nodiscard]] double largest_error() const override { return takes_part() ? error_of(0) : 0; }

 private:
  void send(const Functions& mpi) const {
    mpi.send(values_.bytes.data(), count_, values_.type, peer_, 0, MPI_COMM_WORLD);
  }

  int rounds_ = 1;
};

// Windows of messages under way at once; an answer ends each.
class Stream : public Pair {
 public:
  Stream(std::size_t bytes, const Values& values, bool both, bool rate)
      : Pair(bytes, values), both_(both), rate_(rate) {
    window_ = std::clamp<std::size_t>(most_window_bytes / bytes, 2, most_window);
    rounds_ = bytes < small_message ? 20 : 1;
    in_.resize(bytes * window_);
  }
  [[nodiscard]] Unit unit() const override {
    return rate_ ? Unit::messages_a_second : Unit::megabytes_a_second;
  }
  [[nodiscard]] double amount() const override {
    const double messages = static_cast<double>(window_) * rounds_ * (both_ ? 2 : 1);
    return rate_ ? messages : messages * static_cast<double>(bytes_);
  }

  void perform(const Functions& mpi) override {
    if (!takes_part()) return;
    const bool sends = both_ || rank_ == 0;
    const bool receives = both_ || rank_ == 1;
    for (int round = 0; round < rounds_; ++round) {
      std::vector<MPI_Request> requests;
      for (std::size_t i = 0; receives && i < window_; ++i) {
        mpi.irecv(in_.data() + i * bytes_, count_, values_.type, peer_, 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
      }
      for (std::size_t i = 0; sends && i < window_; ++i) {
        mpi.isend(values_.bytes.data(), count_, values_.type, peer_, 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
      }
      mpi.waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      if (rank_ == 1) mpi.send(nullptr, 0, MPI_BYTE, peer_, answer_tag, MPI_COMM_WORLD);
      if (rank_ == 0) {
        mpi.recv(nullptr, 0, MPI_BYTE, peer_, answer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  }
  [[nodiscard]] double largest_error() const override {
    if (!takes_part() || (!both_ && rank_ == 0)) return 0;
    return std::max(error_of(0), error_of(window_ - 1));
  }

 private:
  bool both_;
  bool rate_;
  std::size_t window_ = 1;
  int rounds_ = 1;
};

}  // namespace

std::unique_ptr<Pattern> make_pair_pattern(std::string_view name, std::size_t bytes,
                                           const Values& values) {
  if (name == "latency") return std::make_unique<Latency>(bytes, values);
  return std::make_unique<Stream>(bytes, values, name == "bibandwidth", name == "message-rate");
}

}  // namespace tightwire::p2p_bench
