#include <mutex>
#include <string>
#include <unordered_map>

#include "mpi/communicator/effective_settings.h"
#include "os/symbols.h"
#include "runtime/call_site.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// As the source has it, without what it stands in, and as the compiler has it.
std::vector<std::string> names_of(const std::string& symbol) {
  if (symbol.empty()) return {};
  const std::string readable = os::readable_symbol(symbol);
  const std::string plain = readable.substr(0, readable.find('<'));
  const std::size_t colon = plain.rfind(':');
  return {readable, colon == std::string::npos ? plain : plain.substr(colon + 1), symbol};
}

void tell_of_unknown(const os::CodePlace& place) {
  static std::once_flag told;
  std::call_once(told, [&] {
    const std::string object = place.object.substr(place.object.rfind('/') + 1);
    runtime::log("rules go by functions (where), but " + (object.empty() ? "a caller" : object) +
                 " does not name those that call MPI: it is stripped, or is no file. They are not "
                 "met there; link without -s");
  });
}

class Places {
 public:
  const std::vector<bool>& at(const void* site) {
    const std::scoped_lock lock(mutex_);
    const auto [found, fresh] = rules_.try_emplace(site);
    if (!fresh) return found->second;
    const os::CodePlace place = site == nullptr ? os::CodePlace{} : os::code_place(site);
    const std::vector<std::string> names = names_of(place.symbol);
    if (names.empty()) tell_of_unknown(place);
    found->second = policy::rules_for_place(runtime::current().rules, names);
    return found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::vector<bool>> rules_;  // which never move
};

Places& places() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const places = new Places;
  return *places;
}

}  // namespace

const std::vector<bool>* rules_at_call_site() {
  if (!runtime::current().places_matter) return nullptr;
  return &places().at(runtime::program_call_site());
}

}  // namespace tightwire::mpi
