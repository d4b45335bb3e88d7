#pragma once
#include "internal/noc_nonblocking_api.h"
