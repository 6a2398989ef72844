#include "interpose/hints.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/communicator/effective_settings.h"
#include "runtime/log.h"
#include "runtime/runtime.h"
#include "settings/nearest.h"

namespace tightwire::special {
namespace {

using settings::Overrides;
using settings::Problem;

constexpr std::string_view prefix = "tightwire_";

// "tightwire_error_bound" <-> "error-bound"
std::string setting_of(std::string_view hint) {
  std::string key(hint.substr(prefix.size()));
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

std::string hint_of(std::string_view setting) {
  std::string key(prefix);
  key += setting;
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::string value_of(MPI_Info info, const std::string& key) {
  int length = 0;
  int found = 0;
  PMPI_Info_get_valuelen(info, key.c_str(), &length, &found);
  if (found == 0) return {};
  std::vector<char> value(static_cast<std::size_t>(length) + 1);
  PMPI_Info_get(info, key.c_str(), length, value.data(), &found);
  return value.data();
}

// All of ours in it, by the names of hints.
Overrides ours_in(MPI_Info info) {
  Overrides hints;
  int keys = 0;
  PMPI_Info_get_nkeys(info, &keys);
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    PMPI_Info_get_nthkey(info, i, key.data());
    if (std::string_view(key.data()).starts_with(prefix)) {
      hints.emplace_back(key.data(), value_of(info, key.data()));
    }
  }
  return hints;
}

void put(Overrides& overrides, const std::pair<std::string, std::string>& override_) {
  const auto old =
      std::ranges::find(overrides, override_.first, &std::pair<std::string, std::string>::first);
  if (old == overrides.end()) {
    overrides.push_back(override_);
  } else {
    old->second = override_.second;
  }
}

bool is_known(const std::string& hint) {
  return std::ranges::find(settings::keys_of_wishes(), setting_of(hint)) !=
         settings::keys_of_wishes().end();
}

Problem unknown(const std::string& hint, const std::string& value, const std::string& place) {
  std::vector<std::string> hints;
  for (const std::string_view key : settings::keys_of_wishes()) hints.push_back(hint_of(key));
  const auto near = settings::nearest(hint, {hints.begin(), hints.end()});
  return {hint, value, place, "there is no such hint",
          near ? "did you mean " + std::string(*near) + "?" : "see docs/user/settings.md"};
}

// The hints with those of `info` among them, or what is wrong with these.
std::optional<Problem> merge(MPI_Info info, const std::string& place, Overrides& merged) {
  for (const auto& [hint, value] : ours_in(info)) {
    Overrides one;
    if (!is_known(hint)) return unknown(hint, value, place);
    if (auto problem = settings::add_wish(one, setting_of(hint), value, place)) {
      problem->key = hint;
      return problem;
    }
    put(merged, one.front());
  }
  std::ranges::sort(merged);
  auto problem = settings::contradiction(runtime::current().settings, merged, place);
  if (problem) problem->key = hint_of(problem->key);
  return problem;
}

std::string text_of(const Overrides& overrides) {
  std::string text;
  for (const auto& [key, value] : overrides) {
    text += (text.empty() ? "" : ", ") + hint_of(key) + "=" + value;
  }
  return text.empty() ? "no hints" : text;
}

void say(const std::string& call, const std::string& what) {
  runtime::log_last_words(call + ": " + what);
}

std::string without_name(const std::string& description) {
  return description.substr(std::string_view("tightwire: ").size());
}

std::string place_of(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return "hint of communicator \"" + std::string(name.data()) + "\"";
}

// What all ranks must agree on, the smallest of each over all of them.
struct Facts {
  std::int64_t hash;
  std::int64_t inverse;
  std::int64_t first_bad;  // rank; the size of the communicator where none is

  [[nodiscard]] bool same() const { return hash == ~inverse; }
};

Facts agreed(const Overrides& merged, bool bad, int rank, int ranks, MPI_Comm comm) {
  const std::string text = text_of(merged);
  const auto hash = static_cast<std::int64_t>(XXH3_64bits(text.data(), text.size()));
  std::array<std::int64_t, 3> facts{hash, ~hash, bad ? rank : ranks};
  PMPI_Allreduce(MPI_IN_PLACE, facts.data(), 3, MPI_INT64_T, MPI_MIN, comm);
  return {facts[0], facts[1], facts[2]};
}

// The last rank that has other hints than rank 0 says so.
void say_difference(const Overrides& merged, int rank, const char* call, MPI_Comm comm) {
  std::array<char, 1024> first{};
  const std::string own = text_of(merged);
  if (rank == 0) std::copy_n(own.begin(), std::min(own.size(), first.size() - 1), first.begin());
  PMPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, comm);
  const bool differs = own.substr(0, first.size() - 1) != first.data();
  int other = differs ? rank : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MAX, comm);
  if (rank != other) return;
  say(call, "the ranks of a communicator do not agree: its rank 0 has " +
                std::string(first.data()) + ", its rank " + std::to_string(rank) + " has " + own +
                "; give the same hints on all of them");
}

}  // namespace

int take_hints(MPI_Comm comm, MPI_Info info, const char* call) {
  int inter = 0;
  int rank = 0;
  int ranks = 1;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return MPI_SUCCESS;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  const Overrides before = mpi::hints_of(comm);
  Overrides merged = before;
  std::optional<Problem> problem;
  if (info != MPI_INFO_NULL) problem = merge(info, place_of(comm), merged);
  const Facts facts = agreed(merged, problem.has_value(), rank, ranks, comm);
  if (facts.first_bad < ranks) {
    if (facts.first_bad == rank) say(call, without_name(settings::describe(*problem)));
    return MPI_ERR_INFO_VALUE;
  }
  if (!facts.same()) {
    say_difference(merged, rank, call, comm);
    return MPI_ERR_INFO_VALUE;
  }
  if (merged != before) mpi::set_hints(comm, merged);
  return MPI_SUCCESS;
}

void put_hints(MPI_Comm comm, MPI_Info info) {
  for (const auto& [key, value] : mpi::hints_of(comm)) {
    PMPI_Info_set(info, hint_of(key).c_str(), value.c_str());
  }
}

}  // namespace tightwire::special
