// Functions of the vector unit on tiles of buffers 0 and 1; results in buffer 18, FP32.

#include "tests/firmware/programs/functions.h"

#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "tests/firmware/programs/two_operands.h"

namespace NAMESPACE {

static void compute(const tvp::test::FunctionParameters& p) {
  using F = tvp::test::Function;
  const uint32_t number = __builtin_bit_cast(uint32_t, p.number);
  switch (p.function) {
    case F::kExp:
      exp_tile_init<false, true>();
      return exp_tile<false>(0);
    case F::kExpScaled:
      return exp_tile<false, true, true>(0, VectorMode::RC, static_cast<uint16_t>(number >> 16));
    case F::kExpFast:
      exp_tile_init<true>();
      recip_tile_init();
      abs_tile(1);  // this function needs the library's constants
      return exp_tile<true>(0);
    case F::kExpm1:
      return expm1_tile(0);
    case F::kExp2:
      return exp2_tile(0);
    case F::kSqrt:
      sqrt_tile_init();
      return sqrt_tile(0);
    case F::kRsqrt:
      rsqrt_tile_init<false>();
      return rsqrt_tile<false, true>(0);
    case F::kReciprocal:
      recip_tile_init();
      return recip_tile(0);
    case F::kLog:
      log_tile_init();
      return log_tile(0);
    case F::kLog1p:
      return log1p_tile<false>(0);
    case F::kLogWithBase:
      return log_with_base_tile(0, number);
    case F::kTanh:
      tanh_tile_init();
      return tanh_tile(0);
    case F::kSigmoid:
      sigmoid_tile_init();
      return sigmoid_tile<VectorMode::RC, false>(0);
    case F::kSilu:
      return silu_tile(0);
    case F::kGelu:
      return gelu_tile<false>(0);
    case F::kRoughGelu:
      gelu_tile_init();
      return gelu_tile(0);
    case F::kAbs:
      return abs_tile(0);
    case F::kSign:
      return sign_tile(0);
    case F::kFloor:
      rounding_op_tile_init();
      return floor_tile(0);
    case F::kCeil:
      return ceil_tile(0);
    case F::kTrunc:
      return trunc_tile(0);
    case F::kFrac:
      return frac_tile(0);
    case F::kSin:
      return sin_tile(0);
    case F::kCos:
      return cos_tile(0);
    case F::kEqualZero:
      return eqz_tile(0);
    case F::kNotEqualZero:
      return nez_tile(0);
    case F::kLessZero:
      return ltz_tile(0);
    case F::kGreaterZero:
      return gtz_tile(0);
    case F::kGreaterEqualZero:
      return gez_tile(0);
    case F::kLessEqualZero:
      return lez_tile(0);
    case F::kAddNumber:
      binop_with_scalar_tile_init();
      return add_unary_tile(0, number);
    case F::kSubtractNumber:
      return sub_unary_tile(0, number);
    case F::kReverseSubtractNumber:
      return rsub_unary_tile(0, number);
    case F::kMultiplyNumber:
      return mul_unary_tile(0, number);
    case F::kReluMax:
      return relu_max_tile(0, number);
    case F::kReluMin:
      return relu_min_tile(0, number);
    case F::kLeakyRelu:
      return leaky_relu_tile(0, number);
    case F::kFill:
      fill_tile_init();
      return fill_tile(0, p.number);
    case F::kClamp:
      return clamp_tile(0, number ^ 0x80000000u, number);
    case F::kPower:
      return power_iterative_tile(0, 5);
    case F::kEqualNumber:
      return unary_eq_tile(0, number);
    case F::kLessNumber:
      return unary_lt_tile(0, number);
    case F::kGreaterEqualNumber:
      return unary_ge_tile(0, number);
    case F::kAdd:
      add_binary_tile_init();
      return add_binary_tile(0, 1, 0);
    case F::kSubtract:
      return sub_binary_tile(0, 1, 0);
    case F::kReverseSubtract:
      return rsub_binary_tile(0, 1, 0);
    case F::kMultiply:
      return mul_binary_tile(0, 1, 0);
    case F::kDivide:
      return div_binary_tile(0, 1, 0);
    case F::kMinimum:
      return binary_min_tile(0, 1, 0);
    case F::kMaximum:
      return binary_max_tile(0, 1, 0);
    case F::kEqual:
      return eq_binary_tile(0, 1, 0);
    case F::kGreater:
      return gt_binary_tile(0, 1, 0);
    case F::kLessEqual:
      return le_binary_tile(0, 1, 0);
    case F::kCopyDst:
      return copy_dest_values(1, 0);
    case F::kWhere:  // a > b ? a : b
      copy_dest_values(0, 2);
      sub_binary_tile(0, 1, 3);
      gtz_tile(3);
      return where_tile(3, 2, 1, 0);
  }
}

void MAIN {
  const tvp::test::FunctionParameters& p = tvp::test::function_parameters;
  for_each_pair(p.tiles, [&] { compute(p); });
}

}  // namespace NAMESPACE
