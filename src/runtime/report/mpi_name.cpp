#include "runtime/report/mpi_name.h"

#include <mpi.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tightwire::runtime {

std::string mpi_name() {
  std::vector<char> text(MPI_MAX_LIBRARY_VERSION_STRING);
  int length = 0;
  if (PMPI_Get_library_version(text.data(), &length) != MPI_SUCCESS || length < 0) return "";
  // What follows tells how and where it was built.
  std::string name(text.data(), static_cast<std::size_t>(length));
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  std::ranges::replace(name, '\t', ' ');
  return name;
}

}  // namespace tightwire::runtime
