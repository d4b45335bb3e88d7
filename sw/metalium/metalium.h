#pragma once
// All of tt-metal's host API. Programs include it under any of the spellings in headers.txt.

// Programs expect these headers to be included.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sw/metalium/assert.h"
#include "sw/metalium/buffer_api.h"
#include "sw/metalium/constants.h"
#include "sw/metalium/device_api.h"
#include "sw/metalium/log.h"
#include "sw/metalium/names.h"
#include "sw/metalium/numbers.h"
#include "sw/metalium/program_api.h"
#include "sw/metalium/queue_api.h"
#include "sw/metalium/shape.h"
#include "sw/metalium/tilize.h"

// Headers until May 2025 declare this name.
using std::string;
