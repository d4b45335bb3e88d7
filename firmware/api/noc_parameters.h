#pragma once

#include "internal/noc_registers.h"
