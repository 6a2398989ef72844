#include "cli/launch/refuse.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "os/signals.h"

namespace tightwire::cli {
namespace {

constexpr std::chrono::seconds time_limit{5};

// Returns only if nobody ends this process; mpirun does so by a signal.
void wait_to_be_ended() {
  ::poll(nullptr, 0, static_cast<int>(std::chrono::milliseconds(time_limit).count()));
}

// Until what was written to standard error has been taken from the pipe, a bounded time.
void wait_until_heard() {
  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  int unread = 0;
  while (::ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0 &&
         std::chrono::steady_clock::now() < deadline) {
    ::poll(nullptr, 0, 1);
  }
}

// Open MPI ends a job when a process fails before MPI_Init. MPICH does not: others that have come
// to MPI_Init would wait for this process for ever. Its mpirun must be told, and forgets what it
// has not yet read when it is.
void end_job(const Job& job, Exit code) {
  if (!job.pmi_descriptor) return;
  wait_until_heard();
  const std::string command = "cmd=abort exitcode=" + std::to_string(code) + "\n";
  if (::write(*job.pmi_descriptor, command.data(), command.size()) < 0) return;
}

}  // namespace

bool speaks(const Job& job, Reach reach) {
  if (reach == Reach::job || !job.local_rank) return job.first_of_program;
  return *job.local_rank == 0 || job.first_of_program;
}

int print_text(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? success : failure;
}

void print_error(const std::string& message) {
  const os::WriteErrorsReturn write_errors_return;
  const std::string line = message + "\n";
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t size = ::write(STDERR_FILENO, line.data() + done, line.size() - done);
    if (size <= 0) return;
    done += static_cast<std::size_t>(size);
  }
}

int refuse(const Job& job, Reach reach, const std::string& message, Exit code) {
  if (speaks(job, reach)) {
    print_error(message);
    end_job(job, code);
    return code;
  }
  wait_to_be_ended();
  // Nobody ended the job: the speaker has not met this fault (its host has another file, or mpirun
  // started several programs), or the launcher lets the other processes be.
  if (job.only_this_family || job.local_rank.value_or(0) == 0) {
    print_error(message + "\ntightwire: (this is host " + host_name() + ")");
  }
  end_job(job, code);
  return code;
}

}  // namespace tightwire::cli
