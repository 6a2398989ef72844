// Everything that code for an instruction set includes from elsewhere. It must come before the
// target attributes are set: a shared inline function compiled for one CPU must not end up in the
// path of another.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "codec/bounded/bounded.h"
#include "codec/bounded/coded_layout.h"
#include "codec/bounded/grid.h"
#include "codec/bounded/header_grid.h"
#include "codec/bounded/layout.h"
#include "codec/bounded/survey.h"
#include "codec/entropy/huffman.h"
#include "codec/error_bound.h"
#include "codec/exact/transform.h"
#include "codec/fill/seen.h"
#include "codec/simd/kernels.h"
