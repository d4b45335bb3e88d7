#pragma once

#include "platform/include/tensix_vp/fault.h"  // IWYU pragma: export
