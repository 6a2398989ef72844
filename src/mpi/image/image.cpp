#include "mpi/image/image.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace tightwire::mpi {
namespace {

// Beyond so many copies, one of everything between them is quicker.
constexpr std::size_t few = 64;

std::byte* moved(std::byte* address, std::ptrdiff_t bytes) {
  // From an address that need not be in the object. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) +
                                      static_cast<std::uintptr_t>(bytes));
}

// What a frame takes besides the values, where a device writes it: marks, and an index with a few
// bytes for each of its chunks.
std::size_t room_for_frame(std::size_t bytes) {
  return bytes + bytes / 4096 + 4096;
}

}  // namespace

Image::Image(const char* name, void* address, Places places, const char* coded_for)
    : device_(static_cast<std::byte*>(address)),
      places_(std::move(places)),
      place_(driver::place_of(moved(device_, places_.lowest()))),
      memory_(pinned_pool().borrow(place_, coded_for != nullptr ? room_for_frame(span()) : span())),
      coded_(coded_for != nullptr && is_in_a_row() && memory_.is_pinned()
                 ? CodedRegistration(std::make_shared<CodedBuffer>(
                       coded_for, place_, moved(device_, places_.lowest()), span(),
                       std::span(memory_.bytes(), room_for_frame(span()))))
                 : CodedRegistration()),
      pieces_(goes_in_pieces() ? PiecesRegistration(std::make_shared<Pieces>(
                                     name, place_, moved(device_, places_.lowest()),
                                     std::span(memory_.bytes(), span())))
                               : PiecesRegistration()) {
  for (const Places::Rows& one : places_.rows()) bytes_ += one.bytes * one.rows;
}

bool Image::is_in_a_row() const {
  return places_.exact() && places_.rows().size() == 1 && places_.rows().front().rows == 1;
}

bool Image::goes_in_pieces() const {
  return span() >= Pieces::smallest_buffer && is_in_a_row() && memory_.is_pinned() &&
         driver::PieceCopies::are_possible();
}

bool Image::leave_on_device() {
  if (coded_.get() == nullptr) return false;
  begin();
  coded_.get()->leave_on_device();
  return true;
}

bool Image::begin_to_fetch() {
  if (pieces_.get() == nullptr || !may_come_later()) return false;
  begin();
  pieces_.get()->fetch();
  return true;
}

// A message: nothing of the last one is under way.
void Image::begin() {
  if (coded_.get() != nullptr) coded_.get()->await();
  if (pieces_.get() != nullptr) pieces_.get()->expect();
}

std::size_t Image::span() const {
  return static_cast<std::size_t>(places_.end() - places_.lowest());
}

void* Image::address() const {
  return moved(memory_.bytes(), -places_.lowest());
}

driver::Rows Image::rows(const Places::Rows& of) const {
  return {.device = moved(device_, of.begin),
          .host = memory_.bytes() + (of.begin - places_.lowest()),
          .bytes = of.bytes,
          .rows = of.rows,
          .stride = of.stride};
}

void Image::fetch() {
  begin();
  driver::Copies copies(place_);
  if (places_.rows().size() > few) {
    copies.to_host(rows({.begin = places_.lowest(), .bytes = span()}));
  } else {
    for (const Places::Rows& one : places_.rows()) copies.to_host(rows(one));
  }
  copies.wait();
  if (!places_.exact()) before_.assign(memory_.bytes(), memory_.bytes() + span());
}

void Image::prepare() {
  begin();
  if (!places_.exact()) fetch();
}

void Image::put(std::size_t bytes) {
  if (!places_.exact()) return put_changes();
  if (pieces_.get() != nullptr) return pieces_.get()->put(std::min(bytes, span()));
  driver::Copies copies(place_);
  for (Places::Rows one : places_.rows()) {
    if (bytes == 0) break;
    const std::size_t whole = std::min(one.rows, bytes / one.bytes);
    const std::size_t rest = whole < one.rows ? bytes - whole * one.bytes : 0;
    one.rows = whole;
    if (whole > 0) copies.to_device(rows(one));
    if (rest > 0) {
      copies.to_device(rows(
          {.begin = one.begin + static_cast<std::ptrdiff_t>(whole) * one.stride, .bytes = rest}));
    }
    bytes -= whole * one.bytes + rest;
  }
  copies.wait();
}

// What MPI has written, as far as it can be told from what was there; what is the same need not go.
void Image::put_changes() {
  driver::Copies copies(place_);
  const std::byte* const now = memory_.bytes();
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if (now[i] == before_[i]) continue;
    const std::size_t begin = i;
    while (i < before_.size() && now[i] != before_[i]) ++i;
    copies.to_device(
        rows({.begin = places_.lowest() + static_cast<std::ptrdiff_t>(begin), .bytes = i - begin}));
  }
  copies.wait();
}

}  // namespace tightwire::mpi
