// Functions of the vector unit on tiles of buffers 0 and 1; results in buffer 18, FP32.

#include "tests/firmware/programs/float_functions.h"

#include "api/compute/compute_kernel_api.h"
#include "tests/firmware/programs/two_operands.h"

namespace NAMESPACE {

static void exp_of_minus(uint32_t from, uint32_t to) {
  copy_dest_values(from, to);
  negative_tile_init();
  negative_tile(to);
  exp_tile_init();
  exp_tile(to);
}
static void relu_tile_of(uint32_t tile) {
  relu_tile_init();
  relu_tile(tile);
}
/// Overwrites tiles 1 and 2.
static void lgamma_of(uint32_t tile) {
  copy_dest_values(tile, 1);
  copy_dest_values(tile, 2);
  frac_tile(1);
  mul_unary_tile(1, __builtin_bit_cast(uint32_t, 3.14159265f));
  sin_tile(1);
  abs_tile(1);
  log_tile(1);
  lgamma_stirling_tile_init();
  lgamma_stirling_tile(tile);
  lgamma_adjusted_tile_init();
  lgamma_adjusted_tile(tile, 1, 2, tile);
}

static void compute(const tvp::test::FloatFunctionParameters& p) {
  [[maybe_unused]] const uint32_t n0 = __builtin_bit_cast(uint32_t, p.k[0]);
  [[maybe_unused]] const uint32_t n1 = __builtin_bit_cast(uint32_t, p.k[1]);
  [[maybe_unused]] const uint32_t n2 = __builtin_bit_cast(uint32_t, p.k[2]);
  switch (p.function) {
#define FLOAT_FUNCTION(name, call, ...) \
  case tvp::test::FloatFunction::name:  \
    call;                               \
    break;
#include "tests/firmware/programs/float_functions.def"
#undef FLOAT_FUNCTION
  }
}

void MAIN {
  const tvp::test::FloatFunctionParameters& p = tvp::test::float_function_parameters;
  for_each_pair(p.tiles, [&] { compute(p); });
}

}  // namespace NAMESPACE
