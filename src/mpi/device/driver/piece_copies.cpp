#include "mpi/device/driver/piece_copies.h"

#include "mpi/device/driver/table.h"

namespace tightwire::mpi::driver {
namespace {

constexpr unsigned without_times = 2;  // CU_EVENT_DISABLE_TIMING
constexpr int not_ready = 600;         // CUDA_ERROR_NOT_READY

// The thread is in a context: any thread may wait for a piece.
class Inside {
 public:
  explicit Inside(Context context) : pushed_(context != nullptr) {
    if (pushed_) check(table()->push(context), "entering the memory's context");
  }
  ~Inside() {
    Context left = nullptr;
    if (pushed_) table()->pop(&left);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool pushed_;
};

// At the end of what a stream has been given so far.
Event mark(Stream stream) {
  Event event = nullptr;
  check(table()->make_event(&event, without_times), "making an event");
  const int code = table()->record(event, stream);
  if (code != 0) table()->free_event(event);
  check(code, "marking the end of a copy");
  return event;
}

}  // namespace

bool PieceCopies::are_possible() {
  return table() != nullptr && table()->can_copy_in_pieces();
}

bool PieceCopies::is_default_stream_idle(const Place& place) {
  const Inside inside(context_of(place));
  const int code = table()->ask(nullptr);
  if (code != not_ready) check(code, "asking for its default stream");
  return code == 0;
}

PieceCopies::PieceCopies(const Place& place, Default of) : context_(context_of(place)) {
  const Inside inside(context_);
  try {
    make_stream(of);
  } catch (...) {
    close();
    throw;
  }
}

void PieceCopies::make_stream(Default of) {
  if (context_ != nullptr) stream_ = idle_streams().take(context_);
  if (stream_ == nullptr) {
    check(table()->make_stream(&stream_, stream_of_its_own), "making a stream");
  }
  if (of == Default::wait) check(table()->wait(nullptr), "waiting for its default stream");
}

// What they write to may be somebody else's afterwards.
PieceCopies::~PieceCopies() {
  try {
    const Inside inside(context_);
    table()->wait(stream_);
    close();
  } catch (const Error&) {
    // Without its context there are no copies any more, nor streams.
  }
}

void PieceCopies::close() noexcept {
  for (Event const end : ends_) table()->free_event(end);
  const bool kept =
      context_ != nullptr && stream_ != nullptr && idle_streams().keep(context_, stream_);
  if (stream_ != nullptr && !kept) table()->free_stream(stream_);
}

void PieceCopies::to_host(const Rows& piece) {
  const Inside inside(context_);
  ends_.reserve(ends_.size() + 1);
  check(table()->to_host(piece.host, reinterpret_cast<DevicePointer>(piece.device), piece.bytes,
                         stream_),
        "copying to the host");
  ends_.push_back(mark(stream_));
}

void PieceCopies::to_device(const Rows& piece) {
  const Inside inside(context_);
  check(table()->to_device(reinterpret_cast<DevicePointer>(piece.device), piece.host, piece.bytes,
                           stream_),
        "copying to the device");
}

void PieceCopies::wait_for(std::size_t piece) const {
  const Inside inside(context_);
  check(table()->wait_for_event(ends_[piece]), "waiting for copies");
}

void PieceCopies::wait() const {
  const Inside inside(context_);
  check(table()->wait(stream_), "waiting for copies");
}

}  // namespace tightwire::mpi::driver
