// Whether a file is what whoever installed Tightwire left there.
#pragma once

#include <string>

namespace tightwire::cli {

// Who besides the user, root and the owner of the running command could have put this file there,
// or could change it; completes "because it ...". Empty if nobody could. Groups are trusted: a
// prefix is often looked after by several people.
[[nodiscard]] std::string who_else_may_change(const std::string& path);

// Whether this process got more rights by its start than its user has (setuid, setgid,
// capabilities): it must then load nothing that the environment names.
[[nodiscard]] bool has_gained_rights();

}  // namespace tightwire::cli
