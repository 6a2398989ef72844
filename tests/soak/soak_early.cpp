// soak_early: random writes against random sends, with the helper at work; every byte compared.
//
// One thread sends, others write at any time but during a send, as MPI demands. Memory is written
// by the processor and by system calls, discarded, unmapped, mapped anew, replaced and forked. A
// stale byte ends it with exit code 1.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "early/early.h"
#include "random.h"

namespace tightwire::soak {
namespace {

using early::Clock;
using settings::EarlyMechanism;

constexpr std::size_t pages = 96;

struct Options {
  double seconds = 60;
  std::uint64_t rounds = 0;
  std::uint64_t seed = 1;
  unsigned writers = 2;
  EarlyMechanism mechanism = EarlyMechanism::automatic;
};

// The memory that is sent from: always mapped at the same place.
class Arena {
 public:
  Arena() : size_(pages * early::page_size()) {
    memory_ = static_cast<std::byte*>(map(nullptr, size_, 0));
    std::memset(memory_, 1, size_);
  }
  ~Arena() { munmap(memory_, size_); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_, size_}; }

  std::mutex mutex;  // held by whoever writes or sends

  void discard(std::size_t page, std::size_t count) const {
    madvise(at(page), count * early::page_size(), MADV_DONTNEED);
  }
  void replace(std::size_t page, std::size_t count) const {
    const std::size_t size = count * early::page_size();
    munmap(at(page), size);
    // The helper may come upon the hole.
    map(at(page), size, MAP_FIXED);
  }
  void move_in(std::size_t page, std::size_t count, int value) const {
    const std::size_t size = count * early::page_size();
    void* const other = map(nullptr, size, 0);
    std::memset(other, value, size);
    if (mremap(other, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, at(page)) == MAP_FAILED)
      std::abort();
  }

 private:
  [[nodiscard]] std::byte* at(std::size_t page) const {
    return memory_ + page * early::page_size();
  }
  static void* map(void* place, std::size_t size, int flags) {
    void* const memory =
        mmap(place, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    return memory;
  }

  std::size_t size_;
  std::byte* memory_ = nullptr;
};

void write_by_system_call(std::span<std::byte> place) {
  static const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  const ssize_t got = read(zeros, place.data(), place.size());
  if (got != static_cast<ssize_t>(place.size())) {
    std::fprintf(stderr, "soak_early: a system call could not write to a watched buffer\n");
    std::abort();
  }
}

void fork_and_write(std::span<std::byte> place) {
  const pid_t child = fork();
  if (child == 0) {
    std::memset(place.data(), 0xee, place.size());
    _exit(0);
  }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
}

// One random change. The arena's mutex is held.
void change(const Arena& arena, Random& random, bool may_fork) {
  const std::span<std::byte> all = arena.bytes();
  const std::size_t page = random.below(pages - 8);
  const std::size_t count = 1 + random.below(8);
  const std::size_t begin = random.below(all.size() - 4096);
  const std::span<std::byte> some = all.subspan(begin, 1 + random.below(4096));
  const std::uint64_t choice = random.below(1000);
  if (choice < 600) {
    all[begin] = static_cast<std::byte>(random.bits());
  } else if (choice < 870) {
    for (std::byte& byte : some) byte = static_cast<std::byte>(random.below(4));
  } else if (choice < 890) {
    std::memset(all.data(), static_cast<int>(random.below(256)), all.size());
  } else if (choice < 930) {
    write_by_system_call(some);
  } else if (choice < 980) {
    arena.discard(page, count);
  } else if (choice < 988) {
    arena.replace(page, count);
  } else if (choice < 996 || !may_fork) {
    arena.move_in(page, count, static_cast<int>(random.below(256)));
  } else {
    fork_and_write(some);
  }
}

void write_at_random(Arena& arena, std::uint64_t seed, const std::atomic<bool>& stop) {
  Random random(seed);
  while (!stop) {
    {
      const std::scoped_lock lock(arena.mutex);
      change(arena, random, false);
    }
    // Bursts, and quiet times in which the helper comes to work.
    if (random.below(4) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(4000)));
    std::this_thread::yield();
  }
}

// A part of the arena that is sent again and again; they overlap, and are not aligned.
struct View {
  std::size_t begin;
  std::size_t size;
  std::size_t chunks;
  codec::Encoding encoding;
};

std::vector<View> make_views() {
  using codec::ElementType;
  using codec::Id;
  const auto encoding = [](Id id, ElementType type) {
    return codec::Encoding{codec::find(id), type, {}};
  };
  const std::size_t page = early::page_size();
  return {
      {0, pages * page, 8, encoding(Id::exact, ElementType::float32)},
      {3 * page + 16, 20 * page + 64, 3, encoding(Id::lz4, ElementType::bytes)},
      {15 * page + 8, 40 * page, 5, encoding(Id::zstd, ElementType::int32)},
      {16 * page, 1024, 1, encoding(Id::exact, ElementType::float64)},
      {50 * page - 8, 30 * page + 8, 16, encoding(Id::exact, ElementType::int64)},
  };
}

class Sender {
 public:
  Sender(early::Early& early, Arena& arena) : early_(early), arena_(arena) {}

  // False: a byte was stale.
  bool send(const View& view) {
    const std::scoped_lock lock(arena_.mutex);
    const std::span<std::byte> values = arena_.bytes().subspan(view.begin, view.size);
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < view.chunks; ++i)
      ends.push_back(i * view.size / view.chunks / 8 * 8);
    ends.push_back(view.size);
    early::Send sending = early_.begin(values, ends, view.encoding, {1e8, true});
    std::size_t begin = 0;
    for (std::size_t i = 0; i < ends.size(); begin = ends[i++]) {
      if (!send_chunk(sending, i, values.subspan(begin, ends[i] - begin), view)) return false;
    }
    return true;
  }

 private:
  bool send_chunk(early::Send& sending, std::size_t index, std::span<std::byte> values,
                  const View& view) {
    const auto ready = sending.take(index);
    if (!ready) {
      room_.resize(early::workspace_size(view.encoding, values.size()));
      const codec::Result made =
          view.encoding.codec->encode(view.encoding.type, values, view.encoding.parameters, room_);
      if (made.ok())
        sending.keep(index, view.encoding.codec->id(), std::span(room_).first(made.size), 1e-4);
      return true;
    }
    decoded_.resize(values.size());
    const codec::Codec& codec = *codec::find(ready->codec);
    if (!codec.decode(view.encoding.type, ready->payload, decoded_).ok()) {
      std::fprintf(stderr, "soak_early: chunk %zu does not decode\n", index);
      return false;
    }
    const auto wrong = std::mismatch(values.begin(), values.end(), decoded_.begin());
    if (wrong.first == values.end()) return true;
    std::fprintf(stderr, "soak_early: chunk %zu of %zu bytes at %zu is stale from byte %td on\n",
                 index, view.size, view.begin, wrong.first - values.begin());
    return false;
  }

  early::Early& early_;
  Arena& arena_;
  std::vector<std::byte> room_;
  std::vector<std::byte> decoded_;
};

int run(const Options& options) {
  early::Early early({settings::Early::on, options.mechanism, std::size_t{64} << 20});
  Arena arena;
  Sender sender(early, arena);
  const std::vector<View> views = make_views();
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (unsigned i = 0; i < options.writers; ++i)
    writers.emplace_back([&, i] { write_at_random(arena, options.seed * 1000 + i, stop); });

  Random random(options.seed);
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  std::uint64_t round = 0;
  bool good = true;
  while (good && Clock::now() < end && (options.rounds == 0 || round < options.rounds)) {
    ++round;
    const std::uint64_t changes = random.below(8) == 0 ? random.below(6) : 0;
    for (std::uint64_t i = 0; i < changes; ++i) {
      const std::scoped_lock lock(arena.mutex);
      change(arena, random, round % 64 == 0);
    }
    if (random.below(8) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
    good = sender.send(views[random.below(views.size())]);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();

  const early::Statistics statistics = early.statistics();
  std::printf(
      "%s, %llu rounds: %llu chunks, %llu ready, %llu of them stronger, %llu coded early in "
      "vain: %s\n",
      std::string(early::name_of(early.mechanism())).c_str(),
      static_cast<unsigned long long>(round), static_cast<unsigned long long>(statistics.chunks),
      static_cast<unsigned long long>(statistics.ready),
      static_cast<unsigned long long>(statistics.strengthened),
      static_cast<unsigned long long>(statistics.wasted), good ? "no stale byte" : "STALE");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tightwire::soak

// NOLINTNEXTLINE(bugprone-exception-escape): a soak that has no memory has failed
int main(int argc, char** argv) {
  tightwire::soak::Options options;
  const std::map<std::string, tightwire::settings::EarlyMechanism> names{
      {"auto", tightwire::settings::EarlyMechanism::automatic},
      {"wp-async", tightwire::settings::EarlyMechanism::wp_async},
      {"wp-sync", tightwire::settings::EarlyMechanism::wp_sync},
      {"hash", tightwire::settings::EarlyMechanism::hash}};
  CLI::App app("Random writes against random sends with early compression; every byte compared.");
  app.add_option("seconds", options.seconds, "how long")->capture_default_str();
  app.add_option("--rounds", options.rounds, "stop after so many sends");
  app.add_option("--seed", options.seed, "of the random choices")->capture_default_str();
  app.add_option("--writers", options.writers, "threads that write")->capture_default_str();
  app.add_option("--mechanism", options.mechanism, "auto, wp-async, wp-sync, hash")
      ->transform(CLI::CheckedTransformer(names));
  CLI11_PARSE(app, argc, argv);
  return tightwire::soak::run(options);
}
