// The methods that are compared.
#pragma once

#include <string_view>

namespace tightwire::comparison {

inline constexpr std::string_view method_names[] = {
    "raw",                  // MPI as it comes
    "raw-best",             // MPI with the fastest of its algorithms
    "cprp2p",               // compress before each send, expand after each receive
    "cprp2p-zfp-rate",      // the same on zfp's fixed rate
    "cprp2p-zfp-accuracy",  // and on its fixed accuracy
    "ccoll",                // data compressed once; sums expanded, added, compressed at each hop
    "ccoll-szp",            // the same on the layout of SZp, close to the codec of its successors
    "ccoll-szx",            // and on that of SZx, close to the codec it came with
    "tightwire",            // bound-applies-to = contribution, as those before
    "tightwire-result",     // bound-applies-to = result, Tightwire's default; reductions only
};

}  // namespace tightwire::comparison
