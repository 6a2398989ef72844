// Which of the program's MPI calls can be compressed, by the functions that it and its libraries
// import.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "cli/doctor/checks.h"
#include "cli/doctor/mpi_functions.h"
#include "cli/launch/family.h"
#include "cli/program/elf.h"
#include "os/mapped_file.h"

namespace tightwire::cli {
namespace {

// The function that a symbol stands for: MPI_Send, PMPI_Send, Fortran's mpi_send_ and its variants
// of mpi_f08.
const MpiFunction* function_of(std::string_view symbol) {
  std::string name(symbol);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.starts_with("pmpi_")) name.erase(0, 1);
  if (!name.starts_with("mpi_")) return nullptr;
  name.erase(0, 4);
  while (name.ends_with('_')) name.pop_back();
  for (const std::string_view suffix : {"_f08ts", "_f08"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  const auto all = mpi_functions();
  const auto found = std::ranges::find(all, std::string_view(name), &MpiFunction::small);
  return found == all.end() ? nullptr : &*found;
}

// MPI's own libraries call each other.
bool is_of_mpi(const std::string& library) {
  constexpr std::array<std::string_view, 7> beginnings{
      "libmpi", "libpmpi", "libopen-", "libfmpi", "libromio", "libucx", "libtightwire"};
  return family_of_library(library).has_value() ||
         std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return library.starts_with(one); });
}

void add_imports(const std::string& path, std::set<MpiFunction>& imported) {
  const os::MappedFile file(path);
  if (file.error() != 0) return;
  for (const std::string_view symbol : imported_functions(file.bytes())) {
    if (const MpiFunction* const function = function_of(symbol)) imported.insert(*function);
  }
}

std::string list_of(const std::set<MpiFunction>& imported, bool can_be_compressed) {
  std::string list;
  for (const MpiFunction& one : imported) {
    if (one.can_be_compressed != can_be_compressed) continue;
    list += (list.empty() ? "" : ", ") + std::string(one.name);
  }
  return list;
}

}  // namespace

void check_calls(const Program& program, const Libraries& libraries, Findings& findings) {
  std::set<MpiFunction> imported;
  add_imports(program.executable(), imported);
  for (const Library& library : libraries.all) {
    if (!library.path.empty() && !is_of_mpi(library.name)) add_imports(library.path, imported);
  }
  if (imported.empty()) {
    findings.push_back({Verdict::note, "calls",
                        "neither the program nor its libraries import a function of MPI that "
                        "carries values; modules that it loads later may"});
    return;
  }
  const auto handled = std::ranges::count_if(imported, &MpiFunction::can_be_compressed);
  std::string text = std::to_string(handled) + " of the " + std::to_string(imported.size()) +
                     " imported functions of MPI that carry values can be compressed";
  if (handled > 0) text += "\ncompressed: " + list_of(imported, true);
  const std::string left = list_of(imported, false);
  if (!left.empty()) text += "\nleft to MPI: " + left;
  findings.push_back({left.empty() ? Verdict::pass : Verdict::note, "calls", text});
}

}  // namespace tightwire::cli
