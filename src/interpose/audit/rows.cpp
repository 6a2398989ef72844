#include "interpose/audit/rows.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "os/symbols.h"

namespace tightwire::auditor {
namespace {

// Beyond it calls are told apart by function and size alone, so that memory stays bounded.
constexpr std::size_t most_rows = 4096;

// Of a row; more are not told apart.
constexpr std::size_t most_channels = 256;

constexpr std::array reductions{"", "sum", "min", "max", "other"};

struct Place {
  std::string site;
  std::string object;
  std::uint64_t offset = 0;
};

Place place_of(const void* site) {
  if (site == nullptr) return {};
  const os::CodePlace place = os::code_place(site);
  return {os::readable_symbol(place.symbol),
          std::filesystem::path(place.object).filename().string(), place.offset};
}

}  // namespace

std::size_t Rows::Hash::operator()(const RowKey& key) const {
  const auto address = reinterpret_cast<std::uintptr_t>(key.site);
  const auto function = reinterpret_cast<std::uintptr_t>(key.function);
  const std::size_t small =
      (std::size_t{key.communicator} << 32) | (static_cast<std::size_t>(key.peer) << 24) |
      (static_cast<std::size_t>(key.type) << 20) | (std::size_t{key.derived} << 19) |
      (std::size_t{key.reduction} << 16) | key.size_class;
  return (address * 31 + function) * 0x9E3779B97F4A7C15U ^ small * 0xC2B2AE3D27D4EB4FU;
}

void Row::note(const audit::Channel& channel) {
  std::size_t hash = static_cast<std::size_t>(channel.peer + 2) * 0x9E3779B97F4A7C15U;
  hash = (hash ^ static_cast<std::size_t>(channel.tag)) * 0xC2B2AE3D27D4EB4FU;
  hash = (hash ^ channel.bytes) * 0x9E3779B97F4A7C15U;
  const auto place = std::ranges::lower_bound(channels, hash);
  if (place != channels.end() && *place == hash) return;
  if (channels.size() < most_channels) channels.insert(place, hash);
  figures.channels = channels.size();
}

Row& Rows::of(RowKey key) {
  const auto found = rows_.find(key);
  if (found != rows_.end()) return found->second;
  if (rows_.size() >= most_rows) {
    key.site = nullptr;
    key.communicator = 0;
  }
  return rows_[key];
}

std::uint32_t Rows::number_of(const std::string& communicator, int ranks) {
  const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
  return numbers_.try_emplace({communicator, ranks}, next).first->second;
}

void Rows::count_sent(int to, std::uint64_t messages, std::uint64_t bytes) {
  audit::Sent& sent = sent_[to];
  sent.messages += messages;
  sent.bytes += bytes;
}

void Rows::add_to(audit::Profile& profile, int rank) const {
  std::map<const void*, Place> places;
  std::map<std::uint32_t, Communicator> communicators{{0, {"", 0}}};
  for (const auto& [named, number] : numbers_) {
    communicators[number] = {named.first, named.second};
  }
  for (const auto& [key, row] : rows_) {
    const auto [place, fresh] = places.try_emplace(key.site);
    if (fresh) place->second = place_of(key.site);
    const Communicator& communicator = communicators[key.communicator];
    audit::Kind kind{place->second.site,
                     place->second.object,
                     place->second.offset,
                     key.function,
                     communicator.name,
                     communicator.ranks,
                     key.peer,
                     key.type,
                     key.derived,
                     reductions[key.reduction],
                     key.size_class};
    profile.calls[kind].add(row.figures);
  }
  for (const auto& [to, sent] : sent_)
    profile.sent.push_back({rank, to, sent.messages, sent.bytes});
}

}  // namespace tightwire::auditor
