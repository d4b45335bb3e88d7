#pragma once

#include "firmware/contract/profiler.h"
