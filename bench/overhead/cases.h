// What is measured: sequences of calls that two ranks make over and over.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "functions.h"

namespace overhead {

inline constexpr int tag = 1;

// Where one thread of one of two ranks makes them.
struct Place {
  const Functions& mpi;  // with these calls
  MPI_Comm comm;  // of this thread alone, a graph in which each rank is the other's neighbour
  int rank;
  int requests;

  [[nodiscard]] int peer() const { return 1 - rank; }
  [[nodiscard]] bool first() const { return rank == 0; }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(requests); }
};

// The measured sequence, with what it works on.
class Sequence {
 public:
  explicit Sequence(const Place& place) : at_(place) {}
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  virtual ~Sequence() = default;
  // Not timed: before and after it is repeated.
  virtual void prepare() {}
  virtual void finish() {}
  virtual void once() = 0;

 protected:
  const Place at_;
};

struct Case {
  std::string calls;        // "Isend+Irecv+Waitall"
  bool many = false;        // with 1 to 1000 requests, else with one
  bool per_request = true;  // a repetition makes each of the calls for each request
  std::function<std::unique_ptr<Sequence>(const Place&)> make;
};

// A case whose sequence is a function of Place and some memory.
struct Memory {
  std::array<std::int64_t, 4> send{};
  std::array<std::int64_t, 4> receive{};
};
// What calls with counts for each of the ranks are given.
inline constexpr std::array<int, 2> ones{1, 1};
inline constexpr std::array<int, 2> places{0, 1};

[[nodiscard]] Case simple(std::string calls, void (*once)(const Place&, Memory&));

void add_blocking(std::vector<Case>& cases);
void add_requests(std::vector<Case>& cases);
void add_persistent(std::vector<Case>& cases);
void add_polls(std::vector<Case>& cases);
void add_collectives(std::vector<Case>& cases);
void add_neighbours(std::vector<Case>& cases);
void add_started_collectives(std::vector<Case>& cases);
void add_persistent_collectives(std::vector<Case>& cases);
void add_one_sided(std::vector<Case>& cases);

[[nodiscard]] std::vector<Case> all_cases();

}  // namespace overhead
