#pragma once

// Settings are declared the same way in models and in host programs.
#include "platform/include/tensix_vp/settings.h"  // IWYU pragma: export
