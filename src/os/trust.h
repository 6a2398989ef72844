// Who could have written a file, and whether it is safe to go by it.
#pragma once

#include <string>

namespace tightwire::os {

// Of an open file that was found in the current folder, which nobody named: why it may hold what
// another user wants. It or the folder belongs to somebody else than this process's user and root,
// or can be written by others. A group in which the user is alone is no other. Empty if only the
// user and root could have put it there.
[[nodiscard]] std::string distrust_of_found(int file);

// A library or program is loaded alone; Python loads modules from beside a script too.
enum class Part : unsigned char { file, script };

// Of a part of the installation: why it must not be used, as "<path> is not <used>, because it
// ...", with advice. Empty if none besides the user, root and the owner of the running command
// could have put the file there, or could change it. Groups are trusted: a prefix is often looked
// after by several people. So are folders that everybody may write to but only owners may rename
// and remove in (the sticky bit), save for scripts.
[[nodiscard]] std::string distrust_of_installed(const std::string& path, const std::string& used,
                                                Part part = Part::file);

// Whether this process got more rights by its start than its user has (setuid, setgid,
// capabilities): it must then load nothing that the environment names.
[[nodiscard]] bool has_gained_rights();

}  // namespace tightwire::os
