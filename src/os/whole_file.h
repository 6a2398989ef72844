// Files that are written whole or not at all, and that take nobody else's place.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tightwire::os {

// Why nothing may be written at `path`: something is there that is no regular file, such as a link,
// a device or a pipe. Empty if it is free, or a regular file. Whether the folder can be written to
// is not asked.
[[nodiscard]] std::string why_not_replace(const std::string& path);

// The same as write_whole_file() would say it, to be asked before long work begins.
[[nodiscard]] std::optional<std::string> why_not_write(const std::string& path);

// Replaces the file; what stood there stays until the new parts, one after the other, are safely
// written. They are written to a new file beside it, which is never one that was there before, and
// then renamed: a link that somebody puts there meanwhile is replaced, never followed. A file that
// takes another's place takes its group and mode too. Returns what went wrong: "cannot write
// <path>: <reason>".
[[nodiscard]] std::optional<std::string> write_whole_file(
    const std::string& path, std::initializer_list<std::span<const std::byte>> parts);
[[nodiscard]] std::optional<std::string> write_whole_file(const std::string& path,
                                                          std::string_view text);
// The same of parts that are made one by one: `next` gives the next one, which stays until it is
// asked again, and an empty one at the end.
[[nodiscard]] std::optional<std::string> write_whole_file(
    const std::string& path, const std::function<std::string_view()>& next);

}  // namespace tightwire::os
