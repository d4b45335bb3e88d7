#pragma once
// int32 functions with the names of those for floating-point formats.

#include <stdint.h>

constexpr int32_t NEG_INF_INT32 = INT32_MIN;
constexpr int32_t POS_INF_INT32 = INT32_MAX;
constexpr uint32_t INT32_SIGN_MASK = 0x80000000;

constexpr bool int32_greater(int32_t a, int32_t b) { return a > b; }
