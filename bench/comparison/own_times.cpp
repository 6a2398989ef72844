#include "comparison/own_times.h"

#include <mpi.h>

namespace tightwire::comparison {
namespace {

class Variable {
 public:
  Variable(MPI_T_pvar_session session, const char* name) : session_(session) {
    int index = -1;
    int count = 0;
    const bool found =
        MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS &&
        MPI_T_pvar_handle_alloc(session, index, nullptr, &handle_, &count) == MPI_SUCCESS;
    if (!found) MPI_Abort(MPI_COMM_WORLD, 1);
  }

  [[nodiscard]] unsigned long long read() const {
    unsigned long long value = 0;
    static_cast<void>(MPI_T_pvar_read(session_, handle_, &value));
    return value;
  }

 private:
  MPI_T_pvar_session session_;
  MPI_T_pvar_handle handle_ = MPI_T_PVAR_HANDLE_NULL;
};

MPI_T_pvar_session opened() {
  int provided = 0;
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
  static_cast<void>(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
  static_cast<void>(MPI_T_pvar_session_create(&session));
  return session;
}

}  // namespace

OwnTimes own_times() {
  constexpr double second = 1e9;
  static const MPI_T_pvar_session session = opened();
  static const Variable encoding(session, "tightwire_encoding_nanoseconds");
  static const Variable combining(session, "tightwire_combining_nanoseconds");
  static const Variable decoding(session, "tightwire_decoding_nanoseconds");
  static const Variable compressed(session, "tightwire_calls_compressed");
  return {static_cast<double>(encoding.read()) / second,
          static_cast<double>(combining.read()) / second,
          static_cast<double>(decoding.read()) / second, compressed.read()};
}

}  // namespace tightwire::comparison
