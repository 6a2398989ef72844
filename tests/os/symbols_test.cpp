#include "os/symbols.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace tightwire::os {
namespace {

TEST(Symbols, AreReadable) {
  EXPECT_EQ(readable_symbol("exchange_halo"), "exchange_halo");
  EXPECT_EQ(readable_symbol("exchange_halo.isra.0"), "exchange_halo");
  EXPECT_EQ(readable_symbol("exchange_halo._omp_fn.1"), "exchange_halo");
  EXPECT_EQ(readable_symbol("_ZN5field13exchange_haloEPdi"), "field::exchange_halo");
  EXPECT_EQ(readable_symbol("_ZN12_GLOBAL__N_14haloEv"), "(anonymous namespace)::halo");
  EXPECT_EQ(readable_symbol("_Z4haloIdEiPT_"), "halo<double>");
  EXPECT_EQ(readable_symbol("exchange_halo_"), "exchange_halo");
  EXPECT_EQ(readable_symbol("__field_MOD_exchange_halo"), "field::exchange_halo");
  EXPECT_EQ(readable_symbol("_start"), "_start");
  EXPECT_EQ(readable_symbol(""), "");
}

[[gnu::noinline]] const void* here() {
  return __builtin_extract_return_addr(__builtin_return_address(0));
}

// Not in the dynamic table of symbols: only the file knows it.
[[gnu::noinline]] static CodePlace place_of_this_function() {
  const CodePlace place = code_place(here());
  return place;
}

TEST(Symbols, OfAReturnAddress) {
  const CodePlace place = place_of_this_function();
  EXPECT_EQ(readable_symbol(place.symbol),
            "tightwire::os::(anonymous namespace)::place_of_this_function");
  EXPECT_NE(place.object.find("os_tests"), std::string::npos);
  EXPECT_GT(place.offset, 0U);
}

TEST(Symbols, OfALibrary) {
  const auto* const inside = reinterpret_cast<const char*>(&std::fflush) + 1;
  EXPECT_NE(code_place(inside).object.find("libc"), std::string::npos);
}

TEST(Symbols, OfNoCode) {
  const CodePlace place = code_place(reinterpret_cast<const void*>(8));
  EXPECT_EQ(place.object, "");
  EXPECT_EQ(place.symbol, "");
}

}  // namespace
}  // namespace tightwire::os
