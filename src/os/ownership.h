// Whether a file is what whoever installed Tightwire left there.
#pragma once

#include <string>

namespace tightwire::os {

// A library or program is loaded alone; Python loads modules from beside a script too.
enum class Part : unsigned char { file, script };

// Why a part of the installation must not be used: "<path> is not <used>, because it ...", with
// advice. Empty if none besides the user, root and the owner of the running command could have put
// the file there, or could change it. Groups are trusted: a prefix is often looked after by several
// people. So are folders that everybody may write to but only owners may rename and remove in (the
// sticky bit), save for scripts.
[[nodiscard]] std::string distrust(const std::string& path, const std::string& used,
                                   Part part = Part::file);

// Whether this process got more rights by its start than its user has (setuid, setgid,
// capabilities): it must then load nothing that the environment names.
[[nodiscard]] bool has_gained_rights();

}  // namespace tightwire::os
