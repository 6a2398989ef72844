#include "codec/kernels.h"

namespace tightwire::codec {

const Kernels& active_kernels() {
  return portable::kernels;
}

}  // namespace tightwire::codec
