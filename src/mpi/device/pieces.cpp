#include "mpi/device/pieces.h"

#include <mpi.h>

#include <algorithm>
#include <new>
#include <utility>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

struct AllPieces {
  std::mutex mutex;
  std::map<const std::byte*, std::shared_ptr<Pieces>> by_begin;
  std::atomic<std::size_t> number{0};
};

// Never destroyed: threads of the program may outlive static destruction.
AllPieces& all_pieces() {
  static auto* const all = new AllPieces;
  return *all;
}

}  // namespace

std::size_t Pieces::end_of(std::size_t piece) const {
  return std::min(image_.size(), (piece + 1) * size_of_one);
}

void Pieces::fetch() {
  expect();
  auto copies = std::make_shared<driver::PieceCopies>(place_, driver::PieceCopies::Default::wait);
  for (std::size_t begin = 0; begin < image_.size(); begin += size_of_one) {
    copies->to_host(rows(begin, std::min(image_.size(), begin + size_of_one)));
  }
  const std::scoped_lock lock(mutex_);
  fetching_ = std::move(copies);
  here_.store(0, std::memory_order_release);
}

// Nothing where they have failed.
std::shared_ptr<driver::PieceCopies> Pieces::fetching() const {
  const std::scoped_lock lock(mutex_);
  return failed_ ? nullptr : fetching_;
}

bool Pieces::is_here(std::span<const std::byte> part) noexcept {
  const auto end = static_cast<std::size_t>(part.data() + part.size() - image_.data());
  if (end <= here_.load(std::memory_order_acquire)) return true;
  // Kept while it is waited for, whoever finds meanwhile that all is here.
  const auto copies = fetching();
  if (copies == nullptr) return end <= here_.load(std::memory_order_acquire);
  const std::size_t last = (end - 1) / size_of_one;
  try {
    copies->wait_for(last);
  } catch (const driver::Error& error) {
    fail(error);
    return false;
  }
  came(end_of(last));
  return true;
}

void Pieces::came(std::size_t end) {
  const std::scoped_lock lock(mutex_);
  // Another thread may have come further.
  if (end <= here_.load(std::memory_order_relaxed)) return;
  here_.store(end, std::memory_order_release);
  if (end == image_.size()) fetching_.reset();
}

void Pieces::fail(const driver::Error& error) {
  const std::scoped_lock lock(mutex_);
  if (!failed_) failed_ = name_ + " lies in the memory of a GPU: " + error.text;
}

std::string Pieces::error() const {
  const std::scoped_lock lock(mutex_);
  return failed_.value_or(std::string());
}

void Pieces::wait_for(std::span<const std::byte> part) {
  if (!is_here(part)) throw MpiError{MPI_ERR_BUFFER, error()};
}

void Pieces::expect() {
  end();
  const std::scoped_lock lock(mutex_);
  puts_early_ = true;
  written_.clear();
  begun_.clear();
}

void Pieces::written(std::span<const std::byte> part) noexcept try {
  const bool is_ours = !part.empty() && part.data() >= image_.data() &&
                       part.data() + part.size() <= image_.data() + image_.size();
  if (!is_ours || !puts_early_) return;
  const auto begin = static_cast<std::size_t>(part.data() - image_.data());
  const std::scoped_lock lock(mutex_);
  add_written(begin, begin + part.size());
  begin_complete();
} catch (const driver::Error&) {
  // put() finds out why.
  puts_early_ = false;
} catch (const std::bad_alloc&) {
  puts_early_ = false;
}

void Pieces::add_written(std::size_t begin, std::size_t end) {
  auto next = written_.upper_bound(begin);
  if (next != written_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= begin) {
      begin = before->first;
      end = std::max(end, before->second);
      next = written_.erase(before);
    }
  }
  while (next != written_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = written_.erase(next);
  }
  written_.emplace(begin, end);
}

// Where the default stream has something to do they are for put(), which waits for that.
void Pieces::begin_complete() {
  for (const auto& [begin, end] : written_) {
    const std::size_t first = (begin + size_of_one - 1) / size_of_one;
    for (std::size_t piece = first; piece * size_of_one < end && end_of(piece) <= end; ++piece) {
      const std::size_t at = piece * size_of_one;
      if (begun_.contains(at)) continue;
      if (!driver::PieceCopies::is_default_stream_idle(place_)) return;
      if (putting_ == nullptr) {
        putting_ =
            std::make_unique<driver::PieceCopies>(place_, driver::PieceCopies::Default::is_idle);
      }
      const auto noted = begun_.emplace(at, end_of(piece)).first;
      try {
        putting_->to_device(rows(at, end_of(piece)));
      } catch (...) {
        begun_.erase(noted);
        throw;
      }
    }
  }
}

void Pieces::put(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  puts_early_ = false;
  std::size_t done = 0;
  const auto copy_until = [&](std::size_t end, std::optional<driver::Copies>& copies) {
    if (done >= end) return;
    if (!copies) copies.emplace(place_);
    copies->to_device(rows(done, end));
  };
  {
    std::optional<driver::Copies> copies;
    for (const auto& [begin, end] : begun_) {
      copy_until(std::min(begin, bytes), copies);
      done = end;
    }
    copy_until(bytes, copies);
    if (copies) copies->wait();
  }
  if (putting_ != nullptr) putting_->wait();
  putting_.reset();
}

void Pieces::end() noexcept {
  const std::scoped_lock lock(mutex_);
  failed_.reset();
  fetching_.reset();
  putting_.reset();
  here_.store(image_.size(), std::memory_order_release);
}

std::shared_ptr<Pieces> pieces_at(const void* address) {
  if (all_pieces().number.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::scoped_lock lock(all_pieces().mutex);
  const auto* const at = static_cast<const std::byte*>(address);
  auto found = all_pieces().by_begin.upper_bound(at);
  if (found == all_pieces().by_begin.begin()) return nullptr;
  --found;
  const std::span<std::byte> image = found->second->image();
  return at < image.data() + image.size() ? found->second : nullptr;
}

PiecesRegistration::PiecesRegistration(std::shared_ptr<Pieces> pieces)
    : pieces_(std::move(pieces)) {
  const std::scoped_lock lock(all_pieces().mutex);
  all_pieces().by_begin.insert_or_assign(pieces_->image().data(), pieces_);
  all_pieces().number = all_pieces().by_begin.size();
}

PiecesRegistration::~PiecesRegistration() {
  if (pieces_ == nullptr) return;
  {
    const std::scoped_lock lock(all_pieces().mutex);
    all_pieces().by_begin.erase(pieces_->image().data());
    all_pieces().number = all_pieces().by_begin.size();
  }
  pieces_->end();
}

}  // namespace tightwire::mpi
