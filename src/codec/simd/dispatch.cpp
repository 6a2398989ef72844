// Which kernels to use: asked of the CPU once, then one load per call.
#include <array>
#include <atomic>
#include <cstdlib>

#include "codec/simd/kernels.h"

namespace tightwire::codec {

#if defined(__x86_64__)
namespace avx512 {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
#elif defined(__aarch64__)
namespace neon {
extern const Kernels kernels;
}
#endif
namespace portable {
extern const Kernels kernels;
}

namespace {

std::atomic<const Kernels*> chosen{nullptr};

const Kernels* named(std::string_view name) {
  for (const Kernels* kernels : all_kernels()) {
    if (kernels->name == name) return kernels;
  }
  return nullptr;
}

const Kernels& best() {
  for (const Kernels* kernels : all_kernels()) {
    if (runs_here(*kernels)) return *kernels;
  }
  return portable::kernels;
}

const Kernels& choose() {
  const char* requested = std::getenv("TIGHTWIRE_ISA");
  const Kernels* kernels = requested == nullptr ? nullptr : named(requested);
  return kernels != nullptr && runs_here(*kernels) ? *kernels : best();
}

}  // namespace

std::span<const Kernels* const> all_kernels() {
  // clang-format off
  static constexpr std::array list{
#if defined(__x86_64__)
      &avx512::kernels,
      &avx2::kernels,
#elif defined(__aarch64__)
      &neon::kernels,
#endif
      &portable::kernels,
  };
  // clang-format on
  return list;
}

bool runs_here(const Kernels& kernels) {
  return kernels.runs();
}

const Kernels& active_kernels() {
  const Kernels* kernels = chosen.load(std::memory_order_relaxed);
  if (kernels == nullptr) {
    kernels = &choose();  // several threads may do this at once, and find the same
    chosen.store(kernels, std::memory_order_relaxed);
  }
  return *kernels;
}

void use_kernels(const Kernels& kernels) {
  chosen.store(&kernels, std::memory_order_relaxed);
}

std::string isa_problem() {
  const char* requested = std::getenv("TIGHTWIRE_ISA");
  if (requested == nullptr) return {};
  const Kernels* kernels = named(requested);
  if (kernels != nullptr && runs_here(*kernels)) return {};
  std::string problem = std::string("TIGHTWIRE_ISA=") + requested;
  problem += kernels == nullptr ? " is not known; this build and machine have"
                                : " is beyond this CPU or operating system; it has";
  for (const Kernels* other : all_kernels()) {
    if (runs_here(*other)) problem.append(" ").append(other->name);
  }
  return problem + "; name one of these, or unset it";
}

}  // namespace tightwire::codec
