#include "calibrate/measure/program.h"

#include <cstdio>

#include "calibrate/measure/world.h"
#include "tightwire.h"

namespace tightwire::calibrate {

int Program::refuse(const std::string& why, int exit_code) const {
  if (world_rank() == 0) std::fprintf(stderr, "%s: %s\n", name, why.c_str());
  return exit_code;
}

int Program::within_mpi(int argc, char** argv, const std::function<int()>& work) const {
  MPI_Init(&argc, &argv);
  int code = failed;
  try {
    code = work();
  } catch (const std::exception& error) {
    code = refuse(error.what(), failed);
  }
  MPI_Finalize();
  return code;
}

int Program::tell(const Notice& notice) const {
  if (notice.exit_code != 0) return refuse(notice.text, notice.exit_code);
  if (world_rank() == 0) std::fputs(notice.text.c_str(), stdout);
  return 0;
}

bool Program::under_tightwire() {
  return tightwire_available() != 0;
}

}  // namespace tightwire::calibrate
