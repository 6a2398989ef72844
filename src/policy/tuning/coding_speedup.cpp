#include "policy/tuning/coding_speedup.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "codec/codec.h"

namespace tightwire::policy {
namespace {

constexpr auto type = codec::ElementType::float32;
// As many as a call has at hand at once, so that to wake threads counts for as much as there.
constexpr std::size_t values_of_piece = std::size_t{64} << 10;
constexpr std::size_t pieces_per_thread = 4;
constexpr std::size_t most_pieces = 64;
// The first meets cold caches and threads that sleep.
constexpr int rounds = 3;

class Pieces {
 public:
  explicit Pieces(std::size_t count)
      : encoded_size_(codec_.max_encoded_size(type, values_of_piece)),
        values_(count * values_of_piece),
        encoded_(count * encoded_size_) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = i < values_of_piece ? value(i) : values_[i - values_of_piece];
    }
    parameters_.error_bound = bound;
  }

  // Of one piece, on any thread.
  void code(std::size_t piece) {
    const std::span values(values_.data() + piece * values_of_piece, values_of_piece);
    const std::span encoded(encoded_.data() + piece * encoded_size_, encoded_size_);
    const codec::Result result = codec_.encode(type, std::as_bytes(values), parameters_, encoded);
    if (!result.ok()) return;
    static_cast<void>(
        codec_.decode(type, encoded.first(result.size), std::as_writable_bytes(values)));
  }

 private:
  static constexpr double bound = 1e-4;

  static float value(std::size_t i) {
    const auto place = static_cast<float>(i);
    return std::sin(1e-2F * place) + 1e-3F * std::sin(7.7F * place);
  }

  const codec::Codec& codec_ = *codec::find(codec::Id::bounded);
  std::size_t encoded_size_;
  codec::Parameters parameters_;
  std::vector<float> values_;
  std::vector<std::byte> encoded_;
};

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Pieces that the threads of a pool take one after the other.
struct Taken {
  const std::function<void(std::size_t)>& work;
  std::size_t pieces;
  std::atomic<std::size_t> next{0};

  void take_all() {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  }
};

}  // namespace

double measure_coding_speedup(std::size_t threads, const WorkTogether& together) {
  const std::size_t count = std::min(pieces_per_thread * threads, most_pieces);
  Pieces pieces(count);
  const auto code = [&](std::size_t piece) { pieces.code(piece); };
  double alone = std::numeric_limits<double>::infinity();
  double helped = alone;
  for (int round = 0; round < rounds; ++round) {
    alone = std::min(alone, seconds_of([&] {
                       for (std::size_t piece = 0; piece < count; ++piece) code(piece);
                     }));
    helped = std::min(helped, seconds_of([&] { together(count, code); }));
  }
  return std::clamp(alone / helped, 1.0, static_cast<double>(threads));
}

double coding_speedup_of_pool(os::ThreadPool& pool, std::size_t threads) {
  const std::size_t usable = std::min<std::size_t>(threads, pool.available());
  if (usable < 2) return 1;
  return measure_coding_speedup(
      usable, [&](std::size_t pieces, const std::function<void(std::size_t)>& work) {
        Taken taken{work, pieces};
        os::ThreadPool::Task task;
        task.context = &taken;
        task.threads = usable;
        task.work = [](void* context, std::span<std::byte>, std::size_t) {
          static_cast<Taken*>(context)->take_all();
        };
        if (!pool.run(task)) taken.take_all();
      });
}

double known_coding_speedup(const settings::CodingSpeedups& known, std::size_t threads) {
  const auto wanted = static_cast<double>(threads);
  settings::CodingSpeedups::Point below{1, 1};
  for (const settings::CodingSpeedups::Point& point : known.points) {
    if (wanted <= point.threads) {
      const double part = (wanted - below.threads) / (point.threads - below.threads);
      return std::max(below.times + part * (point.times - below.times), 1.0);
    }
    below = point;
  }
  return below.times;
}

}  // namespace tightwire::policy
