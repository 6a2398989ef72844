// Images of large buffers on a device whose copies go on in pieces: from the device while the first
// of them are encoded, to the device while the last are still to come.
//
// What stands for such a buffer on the host is known by its address. Whoever reads a part of it
// waits for the pieces in which that lies; who knows nothing of pieces asks Buffer for its memory,
// which waits for all.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "mpi/device/driver.h"
#include "mpi/device/driver/piece_copies.h"

namespace tightwire::mpi {

class Pieces {
 public:
  static constexpr std::size_t size_of_one = std::size_t{4} << 20;
  // Of a smaller buffer too little is left to go on meanwhile.
  static constexpr std::size_t smallest_buffer = 2 * size_of_one;

  // `name`: the argument of the call, for errors. Both memories must stay until end().
  Pieces(const char* name, const driver::Place& place, std::byte* device,
         std::span<std::byte> image)
      : name_(name), place_(place), device_(device), image_(image), here_(image.size()) {}

  [[nodiscard]] std::span<std::byte> image() const { return image_; }

  // Begins to copy all from the device. Throws driver::Error.
  void fetch();
  // Until `part` of the image is there: throws MpiError where it could not be copied. Thread safe.
  void wait_for(std::span<const std::byte> part);
  void wait_for_all() { wait_for(image_); }
  // The same; false where it could not be copied. Then error() says why.
  [[nodiscard]] bool is_here(std::span<const std::byte> part) noexcept;
  [[nodiscard]] std::string error() const;

  // Another message is to come: nothing has been written yet.
  void expect();
  // `part` is what the device is to have, and stays so: each piece of the image that is complete is
  // on its way there. Other memory than the image's is left alone, and what cannot be copied to
  // put(). Thread safe.
  void written(std::span<const std::byte> part) noexcept;
  // The first `bytes` of the image are to be on the device: copies what is not on its way, and
  // waits. Throws driver::Error.
  void put(std::size_t bytes);

  // Nothing is copied any more, whatever came of it.
  void end() noexcept;

 private:
  [[nodiscard]] driver::Rows rows(std::size_t begin, std::size_t end) const {
    return {.device = device_ + begin, .host = image_.data() + begin, .bytes = end - begin};
  }
  [[nodiscard]] std::size_t end_of(std::size_t piece) const;
  [[nodiscard]] std::shared_ptr<driver::PieceCopies> fetching() const;
  void fail(const driver::Error& error);
  void came(std::size_t end);
  void add_written(std::size_t begin, std::size_t end);
  void begin_complete();

  std::string name_;
  driver::Place place_;
  std::byte* device_;
  std::span<std::byte> image_;
  mutable std::mutex mutex_;

  // From the device.
  std::shared_ptr<driver::PieceCopies> fetching_;  // while pieces are to come
  std::atomic<std::size_t> here_;                  // so much of it, from the front on
  std::optional<std::string> failed_;

  // To the device.
  std::unique_ptr<driver::PieceCopies> putting_;  // once something has been begun
  std::atomic<bool> puts_early_{true};            // as long as the driver does not complain
  std::map<std::size_t, std::size_t> written_;    // runs, which do not touch: their ends
  std::map<std::size_t, std::size_t> begun_;      // pieces on their way: their ends
};

// Those in whose image the address lies; costs one relaxed load where there are none. Thread safe.
[[nodiscard]] std::shared_ptr<Pieces> pieces_at(const void* address);

// Of memory that may be an image's: until `part` is there. Throws MpiError. Thread safe.
inline void wait_for_pieces(std::span<const std::byte> part) {
  if (const auto found = pieces_at(part.data())) found->wait_for(part);
}

// To be looked at: some may be on their way from a device. What could not be copied is found out by
// who sends it, and tells the others.
[[nodiscard]] inline std::span<const std::byte> once_here(std::span<const std::byte> values) {
  if (const auto found = pieces_at(values.data())) static_cast<void>(found->is_here(values));
  return values;
}

// Keeps them findable as long as it lives, and ends them.
class PiecesRegistration {
 public:
  PiecesRegistration() = default;
  // Throws std::bad_alloc.
  explicit PiecesRegistration(std::shared_ptr<Pieces> pieces);
  ~PiecesRegistration();
  PiecesRegistration(PiecesRegistration&& other) noexcept = default;
  PiecesRegistration& operator=(PiecesRegistration&& other) noexcept = delete;
  PiecesRegistration(const PiecesRegistration&) = delete;
  PiecesRegistration& operator=(const PiecesRegistration&) = delete;

  // nullptr if there are none.
  [[nodiscard]] Pieces* get() const { return pieces_.get(); }

 private:
  std::shared_ptr<Pieces> pieces_;
};

}  // namespace tightwire::mpi
