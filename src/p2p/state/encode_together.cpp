#include "p2p/state/encode_together.h"

#include <memory>

#include "p2p/state/process_wide.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

std::unique_ptr<EncodingHelper>& helper() {
  return process_wide<std::unique_ptr<EncodingHelper>>();
}

settings::HelperThread wanted() {
  return runtime::current().settings.helper_thread;
}

}  // namespace

void open_encoding_helper() {
  helper() = std::make_unique<EncodingHelper>();
}

void close_encoding_helper() {
  helper().reset();
}

std::size_t encoding_places(std::size_t most) {
  return wanted() != settings::HelperThread::off && helper()->promising() ? most : 1;
}

void encode_together(const EncodingHelper::Items& items) {
  const std::size_t helped = helper()->run(items, wanted() == settings::HelperThread::on);
  if (helped > 0) runtime::current().helped.fetch_add(helped, std::memory_order_relaxed);
}

}  // namespace tightwire::p2p
