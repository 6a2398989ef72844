// What an audit knows of a job: for each kind of call its number, bytes and time, and what codecs
// made of samples of the values.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codec/codec.h"

namespace tightwire::audit {

inline constexpr std::array bounds{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

// Ways to encode: exact, exact with the entropy coder, then each bound, absolute, and as a part of
// the range of the values.
inline constexpr std::size_t exact_choices = 2;
inline constexpr std::size_t choice_count = exact_choices + 2 * bounds.size();
[[nodiscard]] constexpr bool is_exact(std::size_t choice) {
  return choice < exact_choices;
}
[[nodiscard]] constexpr bool is_relative(std::size_t choice) {
  return choice >= exact_choices + bounds.size();
}
// 0 for the exact ones.
[[nodiscard]] constexpr double bound_of(std::size_t choice) {
  return is_exact(choice) ? 0 : bounds[(choice - exact_choices) % bounds.size()];
}
// "exact", "exact+entropy", "1e-4", "rel:1e-4"
[[nodiscard]] std::string name_of_choice(std::size_t choice);

// Of one way, over all samples. Nothing was tried where `values` is 0.
struct Tried {
  double values = 0;                                       // bytes of values
  double encoded = 0;                                      // bytes of their encodings
  double least = std::numeric_limits<double>::infinity();  // the ratio of the worst sample
  double most = 0;                                         // and of the best
  double largest_error = 0;
  double psnr = std::numeric_limits<double>::infinity();  // the worst one's

  // Of one sample. What does not shrink is sent as it is.
  [[nodiscard]] static Tried of(std::size_t values, std::size_t encoded);
  [[nodiscard]] double ratio() const { return encoded > 0 ? values / encoded : 1; }
  void add(const Tried& other);
};

struct Samples {
  std::uint64_t count = 0;
  std::uint64_t values = 0;
  std::uint64_t fill_values = 0;
  std::array<Tried, choice_count> tried{};
  // Predicted from earlier messages of the channel where that is better, over the samples that were
  // compared with such. Errors are those of `tried`.
  std::array<Tried, choice_count> in_time{};

  void add(const Samples& other);
};

enum class Peer : std::uint8_t { nobody, same_host, other_host };

// What makes calls alike.
struct Kind {
  std::string site;          // the calling function; empty if not known
  std::string object;        // the program or library that it is in, without folders
  std::uint64_t offset = 0;  // of the call in it
  std::string function;      // "MPI_Isend"
  std::string communicator;  // its name; empty where the call has none or moves nothing
  int ranks = 0;             // of the communicator
  Peer peer = Peer::nobody;  // of collectives: whether it spans hosts
  codec::ElementType type = codec::ElementType::bytes;
  bool derived = false;     // of a datatype that the program made
  std::string reduction;    // "sum", "min", "max", "other"; empty where nothing is reduced
  unsigned size_class = 0;  // messages from 2^(n-1) bytes on, below 2^n; 0: of no bytes

  auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Summed over the ranks.
struct Figures {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;          // in MPI
  std::uint64_t channels = 0;  // of a receiver, a tag and a size each
  Samples samples;

  void add(const Figures& other);
};

// What one rank sent to another by messages between two.
struct Sent {
  int from = 0;
  int to = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

struct Profile {
  std::string version;  // of Tightwire
  std::string mpi;      // its name and version
  // That are not the default; beside them all is as in plain MPI.
  std::vector<std::pair<std::string, std::string>> settings;
  int ranks = 1;
  int hosts = 1;
  double seconds = 0;            // from MPI_Init to MPI_Finalize, the mean of the ranks
  double mpi_seconds = 0;        // of these inside of MPI
  double least_mpi_seconds = 0;  // of the rank that was there for the shortest; 0: not known
  double cost_seconds = 0;       // of the audit itself
  double latency = 0;            // of the network between hosts, seconds; 0: not known
  double bandwidth = 0;          // bytes per second
  // What the rank with the most to send or to receive across the network has of it, by messages
  // between two ranks, in parts of what a rank sends on average; 0: not known.
  double busiest = 0;
  std::map<Kind, Figures> calls;
  std::vector<Sent> sent;
};

[[nodiscard]] unsigned size_class_of(std::uint64_t bytes);

}  // namespace tightwire::audit
