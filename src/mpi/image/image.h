// What stands on the host for a buffer on a device while MPI uses it.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/device/coded_buffer.h"
#include "mpi/device/driver.h"
#include "mpi/device/pieces.h"
#include "mpi/device/pinned_pool.h"
#include "mpi/image/places.h"

namespace tightwire::mpi {

// Laid out as the buffer is, so that counts, displacements and datatypes mean the same in it. The
// copies throw driver::Error.
class Image {
 public:
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  // Of the buffer at `address`, an argument of that name, of which a call uses `places`: not none.
  // `coded_for`: the call, where the device may encode what it sends from the buffer, or decode
  // what comes. Throws std::bad_alloc.
  Image(const char* name, void* address, Places places, const char* coded_for = nullptr);

  // What a call gets as its buffer.
  [[nodiscard]] void* address() const;

  // From the device, before a call reads it.
  void fetch();
  // Instead, where the device may encode it: the values come when they are wanted here. False where
  // it may not.
  [[nodiscard]] bool leave_on_device();
  // Or they are on their way, piece by piece, and who reads them waits (pieces.h). False where they
  // are too few for that.
  [[nodiscard]] bool begin_to_fetch();
  // Of what is only written: as fetch() where that is needed to tell later what was written.
  void prepare();
  // Onto the device, after a call has written the first `bytes` of the message, and nothing else:
  // what lies in gaps may be written by somebody else meanwhile.
  void put(std::size_t bytes = all);
  // The device has what came: there is nothing to put.
  [[nodiscard]] bool is_decoded() const {
    return coded_.get() != nullptr && coded_.get()->is_decoded();
  }

  // Whether either may be: who reads them finds out by the address that the call gets.
  [[nodiscard]] bool may_come_later() const {
    const bool known = coded_.get() != nullptr || pieces_.get() != nullptr;
    return known && places_.lowest() == 0;
  }

  // Of the message.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] driver::Rows rows(const Places::Rows& of) const;
  [[nodiscard]] std::size_t span() const;
  [[nodiscard]] bool is_in_a_row() const;
  [[nodiscard]] bool goes_in_pieces() const;
  void begin();
  void put_changes();

  std::byte* device_;
  Places places_;
  driver::Place place_;
  PinnedPool::Lease memory_;
  std::vector<std::byte> before_;  // of the whole, where places are not exact
  std::size_t bytes_ = 0;
  CodedRegistration coded_;
  PiecesRegistration pieces_;
};

}  // namespace tightwire::mpi
