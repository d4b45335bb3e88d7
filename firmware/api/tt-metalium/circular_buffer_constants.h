#pragma once

#include "internal/circular_buffer_interface.h"

constexpr uint32_t UINT32_WORDS_PER_LOCAL_CIRCULAR_BUFFER_CONFIG = 4;
