// What programs that measure under MPI do alike, each rank for itself: begin, refuse, end.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "calibrate/measure/notice.h"

namespace tightwire::calibrate {

inline constexpr int failed = 1;

struct Program {
  const char* name;
  const char* outside_tightwire = "run this under tightwire: mpirun -n 4 tightwire PROGRAM";

  // Says on the first rank why there is no result. Returns the exit code.
  [[nodiscard]] int refuse(const std::string& why, int exit_code) const;

  // Between MPI_Init and MPI_Finalize: parses the command line, and runs `work` where that is
  // good and the program is under Tightwire. Both may throw std::exception, which is refused.
  // Returns the exit code.
  template <class Options>
  [[nodiscard]] int run(int argc, char** argv,
                        std::variant<Options, Notice> (*parse_options)(int, const char* const*),
                        int (*work)(const Options&)) const {
    return within_mpi(argc, argv, [&] {
      const auto parsed = parse_options(argc, argv);
      if (const auto* notice = std::get_if<Notice>(&parsed)) return tell(*notice);
      if (!under_tightwire()) return refuse(outside_tightwire, bad_usage);
      return work(std::get<Options>(parsed));
    });
  }

 private:
  [[nodiscard]] int within_mpi(int argc, char** argv, const std::function<int()>& work) const;
  [[nodiscard]] int tell(const Notice& notice) const;
  [[nodiscard]] static bool under_tightwire();
};

}  // namespace tightwire::calibrate
