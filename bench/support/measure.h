// The benchmarks measure with what tightwire calibrate measures with, under the same names.
#pragma once

namespace tightwire::calibrate {}

namespace tightwire::bench {
using namespace calibrate;  // NOLINT(google-build-using-namespace)
}
