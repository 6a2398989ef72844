#include "mpi/device/coded_buffer.h"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "mpi/error.h"
#include "runtime/device_traffic.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<CodedBuffer>> buffers;
  std::atomic<std::size_t> number{0};
};

// Never destroyed: threads of the program may outlive static destruction.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

// What will not change as long as the process runs.
std::atomic<bool> hopeless{false};

const char* remedy(coder::Problem problem) {
  switch (problem) {
    case coder::Problem::no_memory:
      return "leave some of the device's memory free, or set device=stage";
    case coder::Problem::too_old:
      return "a newer driver is needed, or device=stage";
    default:
      return "device=stage does without";
  }
}

}  // namespace

template <class Copy>
void CodedBuffer::copying(Copy copy) const {
  try {
    driver::Copies copies(place_);
    copy(copies);
    copies.wait();
  } catch (const driver::Error& error) {
    if (!failed_.exchange(true)) {
      runtime::log(std::string(call_) + ": the buffer lies in the memory of a GPU: " + error.text);
    }
    throw MpiError{MPI_ERR_BUFFER};
  }
}

void CodedBuffer::put(std::span<const std::byte> image) const {
  const std::ptrdiff_t begin = image.data() - pinned_.data();
  copying([&](driver::Copies& copies) {
    copies.to_device(
        {.device = device_ + begin, .host = pinned_.data() + begin, .bytes = image.size()});
  });
  runtime::device_traffic().to_device += image.size();
}

void CodedBuffer::fetch(std::span<const std::byte> image) const {
  const std::ptrdiff_t begin = image.data() - pinned_.data();
  copying([&](driver::Copies& copies) {
    copies.to_host(
        {.device = device_ + begin, .host = pinned_.data() + begin, .bytes = image.size()});
  });
  runtime::device_traffic().to_host += image.size();
}

void CodedBuffer::fetch() {
  if (!is_left()) return;
  const std::scoped_lock lock(mutex_);
  if (!is_left()) return;
  fetch(pinned_.first(bytes_));
  left_.store(false, std::memory_order_release);
}

void CodedBuffer::tell_of(const coder::Error& error) const {
  if (error.problem == coder::Problem::too_old) hopeless = true;
  static std::array<std::atomic<bool>, 5> told{};
  if (told[static_cast<std::size_t>(error.problem)].exchange(true)) return;
  runtime::log(std::string(call_) + " of " + std::to_string(bytes_) +
               " bytes in the memory of a GPU: the GPU has not coded the message (" + error.text +
               "), which is staged; " + remedy(error.problem) + ". This is said once");
}

bool CodedBuffer::is_aligned_to(codec::ElementType type) const {
  return reinterpret_cast<std::uintptr_t>(device_) % codec::element_size(type) == 0;
}

std::shared_ptr<CodedBuffer> coded_buffer_at(const void* address) {
  if (registry().number.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::scoped_lock lock(registry().mutex);
  const auto found = registry().buffers.find(address);
  return found == registry().buffers.end() ? nullptr : found->second;
}

CodedRegistration::CodedRegistration(std::shared_ptr<CodedBuffer> buffer)
    : buffer_(std::move(buffer)) {
  const std::scoped_lock lock(registry().mutex);
  registry().buffers.insert_or_assign(buffer_->pinned().data(), buffer_);
  registry().number = registry().buffers.size();
}

CodedRegistration::~CodedRegistration() {
  if (buffer_ == nullptr) return;
  const std::scoped_lock lock(registry().mutex);
  registry().buffers.erase(buffer_->pinned().data());
  registry().number = registry().buffers.size();
}

bool devices_code() {
  if (runtime::current().settings.device != settings::Device::compress) return false;
  if (hopeless.load(std::memory_order_relaxed)) return false;
  if (coder::is_here()) return true;
  static std::atomic<bool> told{false};
  if (!told.exchange(true)) {
    runtime::log("device=compress: buffers in the memory of a GPU are staged: " +
                 coder::why_missing());
  }
  return false;
}

}  // namespace tightwire::mpi
