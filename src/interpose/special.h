// The entry points that begin and end things; written by hand.
#pragma once

namespace tightwire::special {

int init(int* argc, char*** argv);
int init_thread(int* argc, char*** argv, int required, int* provided);
int finalize();

}  // namespace tightwire::special
