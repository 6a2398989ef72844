// Checks Allreduce, Reduce and Bcast against answers that it works out itself; knows nothing of
// Tightwire but the error bound it may count on (see options.h). Exit code 0 if all was right.
#include "checker.h"
#include "sections.h"

int main(int argc, char** argv) {
  const check::Options options = check::parse(argc, argv);
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, options.names("threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                  &provided);
  check::Checker checker(options);
  for (const auto& section : check::all_sections) {
    if (options.sections.empty() ? section.by_default : options.names(section.name)) {
      section.run(checker);
    }
  }
  const int code = checker.finish();
  MPI_Finalize();
  return code;
}
