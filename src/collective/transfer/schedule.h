// An algorithm as a schedule of steps: encode, send, receive, merge, decode.
//
// A schedule is a coroutine that reads like the textbook's loop. Where it needs what a transfer
// brings it says `co_await slot.transferred()`, and where it uses another schedule, `co_await
// other(...)`. Blocking calls run a schedule to its end without ever suspending it; requests move
// it on as far as transfers have come (Progress::advance), as libnbc and MPICH do with their lists
// of steps.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace tightwire::collective {

// What a schedule may wait for. Lives in the schedule's own frame.
class Transfer {
 public:
  // Whether it is over; lets MPI move data, without waiting. Throws MpiError.
  [[nodiscard]] virtual bool test() = 0;

 protected:
  ~Transfer() = default;
};

class Progress;

// What all schedules have, whatever they return.
struct ScheduleFrame {
  Progress* progress = nullptr;
  ScheduleFrame* caller = nullptr;  // goes on when this one is at its end
  std::coroutine_handle<> handle;
  std::exception_ptr failure;
};

// How far one operation's schedule has come, with all that it uses.
class Progress {
 public:
  // Runs until a transfer is not over yet; with `waiting` to the end. True at the end.
  bool advance(ScheduleFrame& outermost, bool waiting) {
    if (outermost.handle.done()) return true;
    waiting_ = waiting;
    if (innermost_ == nullptr) innermost_ = &outermost;
    while (innermost_ != nullptr) {
      if (awaited_ != nullptr && !waiting && !is_over(*awaited_)) return false;
      awaited_ = nullptr;
      ScheduleFrame* frame = innermost_;
      frame->handle.resume();
      if (frame->handle.done()) innermost_ = frame->caller;
    }
    return true;
  }

  [[nodiscard]] bool waiting() const { return waiting_; }
  // Throws what went wrong with the transfer that was waited for.
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  void suspend(ScheduleFrame& frame, Transfer& transfer) {
    innermost_ = &frame;
    awaited_ = &transfer;
  }

 private:
  // What it throws is for the schedule that waits, so that this ends in order.
  [[nodiscard]] bool is_over(Transfer& transfer) {
    try {
      return transfer.test();
    } catch (...) {
      failure_ = std::current_exception();
      return true;
    }
  }

  bool waiting_ = true;
  std::exception_ptr failure_;
  ScheduleFrame* innermost_ = nullptr;
  Transfer* awaited_ = nullptr;
};

// `co_await Awaiting(transfer)`: goes on when it is over, or where the operation waits, waits.
template <class Waitable>
struct Awaiting {
  Waitable& transfer;
  ScheduleFrame* frame = nullptr;

  [[nodiscard]] bool await_ready() const { return frame->progress->waiting() || transfer.test(); }
  void await_suspend(std::coroutine_handle<>) const { frame->progress->suspend(*frame, transfer); }
  auto await_resume() const {
    frame->progress->rethrow();
    return transfer.wait();
  }
};

namespace detail {

template <class Value>
struct Returned {
  std::optional<Value> value;
  void return_value(Value returned) { value = std::move(returned); }
  Value take() { return std::move(*value); }
};

template <>
struct Returned<void> {
  void return_void() {}
  void take() {}
};

}  // namespace detail

template <class Value = void>
class [[nodiscard]] Schedule {
 public:
  struct promise_type : ScheduleFrame, detail::Returned<Value> {
    Schedule get_return_object() { return Schedule(*this); }
    [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
    [[nodiscard]] std::suspend_always final_suspend() const noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }

    template <class Waitable>
    Awaiting<Waitable> await_transform(Awaiting<Waitable> awaited) {
      awaited.frame = this;
      return awaited;
    }
    template <class Other>
    auto await_transform(Schedule<Other>&& used) {
      return typename Schedule<Other>::Used(std::move(used), *this);
    }
  };

  Schedule(Schedule&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
  Schedule& operator=(Schedule&&) = delete;
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() {
    if (promise_ != nullptr) promise_->handle.destroy();
  }

  // For the outermost one. Throws what the schedule threw.
  [[nodiscard]] bool advance(Progress& progress, bool waiting) {
    promise_->progress = &progress;
    if (!progress.advance(*promise_, waiting)) return false;
    if (promise_->failure) std::rethrow_exception(promise_->failure);
    return true;
  }

  // Of a schedule that is used by another: begun when it is awaited.
  class Used {
   public:
    Used(Schedule&& schedule, ScheduleFrame& caller) : schedule_(std::move(schedule)) {
      schedule_.promise_->progress = caller.progress;
      caller_ = &caller;
    }
    // It runs at once; without a suspension the caller goes on without one.
    [[nodiscard]] bool await_ready() {
      schedule_.promise_->handle.resume();
      return schedule_.promise_->handle.done();
    }
    void await_suspend(std::coroutine_handle<>) { schedule_.promise_->caller = caller_; }
    Value await_resume() {
      if (schedule_.promise_->failure) std::rethrow_exception(schedule_.promise_->failure);
      return schedule_.promise_->take();
    }

   private:
    Schedule schedule_;
    ScheduleFrame* caller_;
  };

 private:
  explicit Schedule(promise_type& promise) : promise_(&promise) {
    promise.handle = std::coroutine_handle<promise_type>::from_promise(promise);
  }

  promise_type* promise_;
};

}  // namespace tightwire::collective
