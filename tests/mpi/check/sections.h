// The sections of the checker, in the order in which they run.
#pragma once

#include "checker.h"

namespace check {

void check_floats(Checker& checker);
void check_exact_types(Checker& checker);
void check_user_operations(Checker& checker);
void check_derived_types(Checker& checker);
void check_communicators(Checker& checker);
void check_intercommunicators(Checker& checker);
void check_invalid_arguments(Checker& checker);
void check_many_communicators(Checker& checker);
void check_threads(Checker& checker);

struct Section {
  const char* name;
  void (*run)(Checker&);
  bool by_default;  // runs when no sections are named
};
inline constexpr Section all_sections[] = {
    {"floats", check_floats, true},
    {"exact-types", check_exact_types, true},
    {"user-operations", check_user_operations, true},
    {"derived-types", check_derived_types, true},
    {"communicators", check_communicators, true},
    {"intercommunicators", check_intercommunicators, true},
    {"invalid-arguments", check_invalid_arguments, false},
    {"many-communicators", check_many_communicators, false},
    {"threads", check_threads, false},
};

}  // namespace check
