#include "runtime/start/agreement.h"

#include <mpi.h>
#include <sys/random.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/exit_code.h"
#include "runtime/log.h"
#include "runtime/version.h"

namespace tightwire::runtime {
namespace {

constexpr char problem_mark = '!';

// What must be equal on all ranks, a line each; problems stand in front so that they are seen
// first.
std::string statement(const settings::Loaded& loaded) {
  std::string text;
  for (const settings::Problem& problem : loaded.problems) {
    text += problem_mark + settings::describe(problem) + "\n";
  }
  text += std::string("version=") + version + "\n" + settings::canonical(loaded.settings);
  for (std::size_t i = 0; i < loaded.rules.size(); ++i) {
    text += "rule " + std::to_string(i + 1) + ", " + settings::print(loaded.rules[i]) + "\n";
  }
  return text;
}

bool everybody_is_well(const settings::Loaded& loaded, const std::string& text) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  std::array<std::uint64_t, 3> facts{hash, ~hash, loaded.problems.empty() ? 0U : 1U};
  PMPI_Allreduce(MPI_IN_PLACE, facts.data(), facts.size(), MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return facts[2] == 0 && facts[0] == ~facts[1];
}

// Rank 0 gets every rank's statement, the others an empty list. Each statement is cut to a fixed
// size, far above what settings can take up.
std::vector<std::string> gather_statements(const std::string& text, int rank, int ranks) {
  constexpr std::size_t room = 8192;
  std::vector<char> mine(room, '\0');
  std::copy_n(text.begin(), std::min(text.size(), room - 1), mine.begin());
  std::vector<char> all(rank == 0 ? room * static_cast<std::size_t>(ranks) : 0);
  PMPI_Gather(mine.data(), room, MPI_CHAR, all.data(), room, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> statements;
  for (std::size_t at = 0; at < all.size(); at += room) statements.emplace_back(&all[at]);
  return statements;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// The first line that is different on the two ranks.
std::string difference(const std::string& first, const std::string& other, std::size_t rank) {
  const std::vector<std::string> a = lines_of(first);
  const std::vector<std::string> b = lines_of(other);
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const std::string mine = x == a.end() ? "(nothing)" : *x;
  const std::string theirs = y == b.end() ? "(nothing)" : *y;
  return "the ranks do not agree: rank 0 has " + mine + ", rank " + std::to_string(rank) + " has " +
         theirs + "; start all ranks with the same settings and the same tightwire";
}

// A Problem's text begins with the program's name, which the log puts there too.
std::string without_name(std::string text) {
  constexpr std::string_view name = "tightwire: ";
  if (text.starts_with(name)) text.erase(0, name.size());
  return text;
}

std::string explain(const std::vector<std::string>& statements) {
  for (std::size_t rank = 0; rank < statements.size(); ++rank) {
    if (statements[rank].front() == problem_mark) {
      // A problem that is longer than all that is gathered has no end.
      const std::vector<std::string> lines = lines_of(statements[rank]);
      const std::string& first = lines.empty() ? statements[rank] : lines.front();
      const std::string text = without_name(first.substr(1));
      return rank == 0 ? text : "on rank " + std::to_string(rank) + ": " + text;
    }
  }
  for (std::size_t rank = 1; rank < statements.size(); ++rank) {
    if (statements[rank] != statements[0]) {
      return difference(statements[0], statements[rank], rank);
    }
  }
  return "the ranks do not agree on the settings";
}

[[noreturn]] void end_job(const std::string& text) {
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<std::string> statements = gather_statements(text, rank, ranks);
  if (rank == 0) {
    log_last_words(explain(statements));
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
  }
  // Rank 0 ends everybody; nobody leaves MPI_Init before that.
  PMPI_Barrier(MPI_COMM_WORLD);
  std::_Exit(exit_code);
}

}  // namespace

settings::Settings agreed_settings(const settings::Loaded& loaded) {
  const std::string text = statement(loaded);
  if (!everybody_is_well(loaded, text)) end_job(text);
  return loaded.settings;
}

std::string name_of_job() {
  std::uint64_t number = 0;
  // Where the system has no chance to give, time does.
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    number =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  }
  PMPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

}  // namespace tightwire::runtime
