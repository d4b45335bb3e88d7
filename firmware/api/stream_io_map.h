#pragma once

#include "internal/stream_registers.h"
