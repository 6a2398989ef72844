#include "interpose/special.h"

#include <mpi.h>

#include <string>

#include "collective/operation/started_call.h"
#include "collective/transfer/background.h"
#include "collective/transfer/progress_thread.h"
#include "interpose/audit/auditor.h"
#include "interpose/census/census.h"
#include "interpose/recording/recorder.h"
#include "interpose/staging/staging.h"
#include "interpose/timeline/job_timeline.h"
#include "mpi/call.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/private/world.h"
#include "mpi/device/collectives.h"
#include "mpi/error.h"
#include "os/float_traps.h"
#include "p2p/lifecycle.h"
#include "runtime/crew/together.h"
#include "runtime/log.h"
#include "runtime/report/part.h"
#include "runtime/runtime.h"
#include "runtime/start/sessions.h"

namespace tightwire::special {

using mpi::guarded;

namespace {

int finish(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  const os::FloatTrapsOff floats;
  staging::finish();
  if (!runtime::active() && !auditor::active()) return MPI_SUCCESS;
  return guarded({"MPI_Finalize"}, MPI_COMM_WORLD, [] {
    if (auditor::active()) {
      auditor::finish();
      return MPI_SUCCESS;
    }
    recorder::finish();
    census::finish();
    collective::finish_background();
    p2p::finish();
    runtime::close_crew();
    job_timeline::finish();
    runtime::finish();
    mpi::release_world();
    mpi::close_private_world();
    return MPI_SUCCESS;
  });
}

// MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else, the last one first (MPI
// 4.0, section 11.2.4). Ours is the first: the program's own delete functions, which may still wait
// for messages of other ranks, run while everything works and nobody waits for this rank.
void finish_with_self() {
  int key = MPI_KEYVAL_INVALID;
  mpi::check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &finish, &key, nullptr));
  mpi::check(PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr));
  mpi::check(PMPI_Comm_free_keyval(&key));  // MPI keeps it as long as the attribute
}

// MPI is not there yet to tell of what is wrong with the settings: runtime::start() does.
bool wants_progress_thread() {
  if (collective::hindrance_to_progress_thread() != nullptr) return false;
  return runtime::asked_for().settings.progress_thread != settings::ProgressThread::off;
}

void start_progress_thread() {
  const runtime::Runtime& runtime = runtime::current();
  const settings::ProgressThread wanted = runtime.settings.progress_thread;
  if (wanted == settings::ProgressThread::off) return;
  const char* const hindrance = collective::may_start()
                                    ? collective::start_progress_thread(wanted)
                                    : "such collectives are left to MPI in this job";
  if (hindrance == nullptr || runtime.rank != 0) return;
  runtime::log(std::string("progress-thread: there is none: ") + hindrance +
               "; collectives that return at once go on while the program is in MPI");
}

// Some MPIs' MPI_Init calls MPI_Init_thread, which has started all then.
int start() {
  if (runtime::active() || auditor::active()) return MPI_SUCCESS;
  return guarded({"MPI_Init"}, MPI_COMM_WORLD, [] {
    finish_with_self();
    runtime::start();
    auditor::start();
    staging::start();
    if (!runtime::active()) return MPI_SUCCESS;
    mpi::open_private_world();
    mpi::agree_on_devices();
    runtime::open_crew();
    collective::start_background(collective::can_start());
    start_progress_thread();
    p2p::start();
    recorder::start();
    census::start();
    job_timeline::start();
    runtime::start_watching();
    return MPI_SUCCESS;
  });
}

}  // namespace

int init(int* argc, char*** argv) {
  runtime::before_mpi();
  int level = MPI_THREAD_MULTIPLE;
  const int code =
      wants_progress_thread() ? PMPI_Init_thread(argc, argv, level, &level) : PMPI_Init(argc, argv);
  return code == MPI_SUCCESS ? start() : code;
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  runtime::before_mpi();
  if (wants_progress_thread()) required = MPI_THREAD_MULTIPLE;
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  return code == MPI_SUCCESS ? start() : code;
}

// finish() runs in it.
int finalize() {
  return PMPI_Finalize();
}

// The others may be ended before they can say anything.
int abort(MPI_Comm comm, int errorcode) {
  if (runtime::active()) runtime::note_end("MPI_Abort");
  return PMPI_Abort(comm, errorcode);
}

#if MPI_VERSION >= 4
int session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  const int code = PMPI_Session_init(info, errhandler, session);
  if (code == MPI_SUCCESS) ++runtime::open_sessions();
  return code;
}

int session_finalize(MPI_Session* session) {
  const int code = PMPI_Session_finalize(session);
  if (code == MPI_SUCCESS) --runtime::open_sessions();
  return code;
}
#endif

}  // namespace tightwire::special
