#pragma once

#include "api/compute/pack_untilize.h"
