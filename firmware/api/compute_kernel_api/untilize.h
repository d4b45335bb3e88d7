#pragma once

#include "api/compute/untilize.h"
