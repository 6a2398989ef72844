#include "runtime/lessons.h"

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <utility>

#include "experience/json.h"
#include "os/mapped_file.h"
#include "os/whole_file.h"
#include "runtime/lessons_file.h"
#include "runtime/log.h"
#include "runtime/version.h"

namespace tightwire::runtime {
namespace {

bool is_wanted(const settings::Settings& settings) {
  return !settings.learned.value.empty() && settings.deterministic == settings::Switch::off;
}

// What is wrong with it; nothing where there is none yet, or an empty one.
std::optional<std::string> read_file(const std::string& path, std::string& text,
                                     experience::Experience& earlier) {
  if (const std::string reason = os::why_not_replace(path); !reason.empty()) return reason;
  const os::MappedFile file(path);
  if (file.error() == ENOENT) return std::nullopt;
  if (file.error() != 0) return std::string("cannot be read: ") + std::strerror(file.error());
  const std::span<const std::byte> bytes = file.bytes();
  if (bytes.size() > experience::largest_file) return "is no file of what a job learned";
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.empty()) return std::nullopt;
  std::string fault;
  auto read = experience::read_json(text, fault);
  if (!read) return fault;
  earlier = std::move(*read);
  return std::nullopt;
}

}  // namespace

void Lessons::read(settings::Loaded& loaded, const std::filesystem::path& folder) {
  if (!is_wanted(loaded.settings)) return;
  const std::string& name = loaded.settings.learned.value;
  const std::optional<std::string> path =
      name == "auto" ? own_lessons_file() : (folder / name).string();
  path_ = path.value_or("");
  const auto fault = path ? read_file(path_, text_, earlier_)
                          : "needs XDG_CACHE_HOME or HOME, of which neither names a folder";
  if (!fault) return;
  const auto entry = std::ranges::find(loaded.entries, "learned", &settings::Entry::key);
  loaded.problems.push_back({entry->key, name, entry->place, *fault,
                             "name a file that tightwire has written, or one that is not there "
                             "yet"});
}

// All ranks read the same text, so they know the same.
void Lessons::share(const settings::Settings& settings, int rank) {
  if (!is_wanted(settings)) return;
  are_kept_ = true;
  is_first_ = rank == 0;
  auto size = static_cast<int>(text_.size());
  static_assert(experience::largest_file <= INT_MAX);
  PMPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text_.resize(static_cast<std::size_t>(size));
  PMPI_Bcast(text_.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string fault;
  if (size > 0 && !is_first_) earlier_ = experience::read_json(text_, fault).value();
  text_ = {};
  learned_.network = earlier_.network;
}

policy::Network Lessons::network() const {
  const std::lock_guard lock(mutex_);
  return learned_.network;
}

void Lessons::set_network(const policy::Network& network) {
  const std::lock_guard lock(mutex_);
  learned_.network = network;
}

void Lessons::note(const policy::Extent& extent, const policy::KindOfCall& kind,
                   const policy::OnlineTuner::Experience& learned) {
  const std::lock_guard lock(mutex_);
  learned_.calls.insert_or_assign({extent, kind}, learned);
}

void Lessons::note(const policy::Extent& extent, policy::Operation operation,
                   const policy::Backoff::Experience& learned) {
  const std::lock_guard lock(mutex_);
  learned_.uneven_calls.insert_or_assign({extent, operation}, learned);
}

void Lessons::note(unsigned size_class, const policy::EncodingTuner::Experience& learned) {
  const std::lock_guard lock(mutex_);
  Messages& messages = messages_[std::min<std::size_t>(size_class, size_classes - 1)];
  messages.noted += 1;
  messages.unmodified += learned.unmodified;
  messages.pays += learned.pays ? 1 : -1;
}

void Lessons::gather_messages() {
  std::array<Messages, size_classes> all{};
  static_assert(sizeof all == 3 * size_classes * sizeof(double));
  PMPI_Reduce(messages_.data(), all.data(), 3 * size_classes, MPI_DOUBLE, MPI_SUM, 0,
              MPI_COMM_WORLD);
  if (!is_first_) return;
  for (unsigned size_class = 0; size_class < size_classes; ++size_class) {
    const Messages& messages = all[size_class];
    if (messages.noted == 0) continue;
    learned_.messages[size_class] = {messages.unmodified / messages.noted, messages.pays >= 0};
  }
}

void Lessons::write() {
  if (!are_kept_) return;
  gather_messages();
  if (!is_first_) return;
  experience::add(earlier_, learned_);
  const std::string text = experience::as_json(earlier_, version);
  if (const auto problem = os::write_whole_file(path_, text)) {
    log("learned: " + *problem + "; name a file in a folder that rank 0 can write to");
  }
}

}  // namespace tightwire::runtime
