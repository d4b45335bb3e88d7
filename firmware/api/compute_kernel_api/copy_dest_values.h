#pragma once

#include "api/compute/compute_kernel_api.h"
