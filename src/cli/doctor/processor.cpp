#include "cli/doctor/processor.h"

namespace tightwire::cli {

std::string processor_features() {
#if defined(__x86_64__)
  std::string features;
  const auto add = [&](bool there, const char* name) {
    if (there) features += (features.empty() ? " with " : ", ") + std::string(name);
  };
  __builtin_cpu_init();
  add(__builtin_cpu_supports("sse4.2"), "SSE4.2");
  add(__builtin_cpu_supports("avx2"), "AVX2");
  add(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"),
      "AVX-512");
  return "x86-64" + features;
#elif defined(__aarch64__)
  return "AArch64 with NEON";
#else
  return "no vector instructions that Tightwire knows";
#endif
}

}  // namespace tightwire::cli
