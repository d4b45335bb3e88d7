#include "sw/workloads/microbenchmarks/tile/vector_cycles.h"

#include "sw/runtime/host_api.h"
#include "sw/workloads/microbenchmarks/first_core.h"
#include "sw/workloads/microbenchmarks/measurement.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kTimes = 4;

enum class Dst { kAny, kWide, kNarrow };

struct Function {
  const char* name;
  const char* call;
  const char* init = "";
  Dst dst = Dst::kAny;
};

/// Numbers are bits of FP32; those of DataFormat as in tt-metal.
constexpr Function kFunctions[] = {
    {"abs", "abs_tile(0)"},
    {"add_binary", "add_binary_tile(0, 1, 0)"},
    {"add_int", "add_int32_tile(0, 1, 0)", "", Dst::kWide},
    {"add_unary", "add_unary_tile(0, 0x3F800000)"},
    {"bitwise_and", "bitwise_and_tile(0, 7)", "", Dst::kWide},
    {"ceil", "ceil_tile(0)"},
    {"clamp", "clamp_tile(0, 0, 0x3F800000)"},
    {"copy_dest", "copy_dest_values(0, 1)"},
    {"cos", "cos_tile(0)"},
    {"cumsum", "cumsum_tile(0)"},
    {"div_binary", "div_binary_tile(0, 1, 0)"},
    {"dropout", "dropout_tile(0, 1000, 0x3F800000)"},
    {"elu", "elu_tile(0, 0x3F800000)"},
    {"eqz", "eqz_tile(0)"},
    {"erf", "erf_tile(0)"},
    {"erfc", "erfc_tile(0)"},
    {"erfinv", "erfinv_tile(0)"},
    {"exp", "exp_tile(0)", "exp_tile_init()"},
    {"exp2", "exp2_tile(0)"},
    {"exp_fast", "(exp_tile<true, true>(0))", "(exp_tile_init<true, true>())"},
    {"expm1", "expm1_tile(0)"},
    {"fill", "fill_tile(0, 1.0f)"},
    {"floor", "floor_tile(0)"},
    {"frac", "frac_tile(0)"},
    {"gelu", "gelu_tile<false>(0)"},
    {"gelu_rough", "gelu_tile(0)"},
    {"hardsigmoid", "hardsigmoid_tile(0)"},
    {"i0", "i0_tile(0)"},
    {"identity", "identity_tile(0)"},
    {"isinf", "isinf_tile(0)"},
    {"left_shift", "left_shift_tile(0, 2)", "", Dst::kWide},
    {"log", "log_tile(0)"},
    {"log1p", "log1p_tile(0)"},
    {"ltz", "ltz_tile(0)"},
    {"mask", "mask_tile(0, 1)"},
    {"max_binary", "binary_max_tile(0, 1, 0)"},
    {"mul_binary", "mul_binary_tile(0, 1, 0)"},
    {"mul_int", "mul_int32_tile(0, 1, 0)", "", Dst::kWide},
    {"mul_unary", "mul_unary_tile(0, 0x3F800000)"},
    {"negative", "negative_tile(0)"},
    {"power", "power_tile(0, 0x40400000)"},
    {"power_binary", "power_binary_tile(0, 1, 0)"},
    {"prelu", "prelu_tile(0, 0x3E800000)"},
    {"rand", "rand_tile(0, 0, 0x3F800000)", "rand_tile_init(1)"},
    {"recip", "recip_tile(0)"},
    {"reduce_max", "(sfpu_reduce<PoolType::MAX, DataFormat::Float32>(0))",
     "(sfpu_reduce_init<PoolType::MAX, DataFormat::Float32>())", Dst::kWide},
    {"reduce_sum", "(sfpu_reduce<PoolType::SUM, DataFormat::Float32>(0))",
     "(sfpu_reduce_init<PoolType::SUM, DataFormat::Float32>())", Dst::kWide},
    {"relu", "relu_tile(0)"},
    {"relu_max", "relu_max_tile(0, 0x40C00000)"},
    {"relu_min", "relu_min_tile(0, 0x40C00000)"},
    {"rsqrt", "rsqrt_tile(0)"},
    {"sigmoid", "sigmoid_tile(0)"},
    {"sign", "sign_tile(0)"},
    {"silu", "silu_tile(0)"},
    {"sin", "sin_tile(0)"},
    {"softplus", "softplus_tile(0, 0x3F800000, 0x3F800000, 0x41A00000)"},
    {"sqrt", "sqrt_tile(0)"},
    {"square", "square_tile(0)"},
    {"tanh", "tanh_tile(0)"},
    {"topk_local_sort", "topk_local_sort(0, 0, 4)", "topk_tile_init()"},
    {"topk_merge", "topk_merge(0, 0, 32)", "topk_tile_init()"},
    {"topk_rebuild", "topk_rebuild(0, 0, 0, 32, 5, 0)", "topk_tile_init()"},
    {"trunc", "trunc_tile(0)"},
    {"typecast_bf16_to_uint16", "(typecast_tile<5, 9>(0))", "(typecast_tile_init<5, 9>())",
     Dst::kNarrow},
    {"typecast_fp32_to_bf16", "(typecast_tile<0, 5>(0))", "", Dst::kWide},
    {"typecast_fp32_to_int32", "(typecast_tile<0, 8>(0))", "", Dst::kWide},
    {"typecast_fp32_to_uint16", "(typecast_tile<0, 9>(0))", "", Dst::kWide},
    {"typecast_fp32_to_uint32", "(typecast_tile<0, 24>(0))", "", Dst::kWide},
    {"typecast_int32_to_fp32", "(typecast_tile<8, 0>(0))", "", Dst::kWide},
    {"typecast_int32_to_uint16", "(typecast_tile<8, 9>(0))", "", Dst::kWide},
    {"typecast_uint16_to_bf16", "(typecast_tile<9, 5>(0))", "(typecast_tile_init<9, 5>())",
     Dst::kNarrow},
    {"typecast_uint16_to_fp32", "(typecast_tile<9, 0>(0))", "", Dst::kWide},
    {"typecast_uint16_to_uint32", "(typecast_tile<9, 24>(0))", "", Dst::kWide},
    {"typecast_uint32_to_fp32", "(typecast_tile<24, 0>(0))", "", Dst::kWide},
    {"typecast_uint32_to_uint16", "(typecast_tile<24, 9>(0))", "", Dst::kWide},
    {"unary_eq", "unary_eq_tile(0, 0x3F800000)"},
    {"unary_gt", "unary_gt_tile(0, 0x3F800000)"},
    {"unary_max", "unary_max_tile(0, 0x3F800000)"},
    {"where", "where_tile(0, 1, 2, 0)", "where_tile_init()"},
    {"where_to_fourth", "where_tile(0, 1, 2, 3)", "where_tile_init()"},
};

}  // namespace

void VectorCycles::run_on(MeshDevice& mesh, std::uint64_t /*seed*/, Result& result) {
  const Dst other = config_.format == "float32" ? Dst::kNarrow : Dst::kWide;
  for (const Function& function : kFunctions) {
    if (function.dst == other || !std::string(function.name).starts_with(config_.function.value()))
      continue;
    result.metrics.push_back(
        {function.name, measure(mesh, function.init, function.call), "cycles"});
  }
  if (result.metrics.empty())
    fail(result, "no function's name begins with \"" + config_.function.value() + "\"");
}

/// The second zone has three times as many calls as the first.
double VectorCycles::measure(MeshDevice& mesh, const char* init, const char* call) const {
  Program program = CreateProgram();
  const bool wide = config_.format == "float32";
  const std::uint32_t bytes = wide ? 4096 : 2048;
  for (const std::uint8_t index : {std::uint8_t{0}, std::uint8_t{16}}) {
    CircularBufferConfig buffer(bytes,
                                {{index, wide ? DataFormat::Float32 : DataFormat::Float16_b}});
    buffer.set_page_size(index, bytes);
    CreateCircularBuffer(program, kFirstCore, buffer);
  }
  ComputeConfig compute;
  compute.fp32_dest_acc_en = wide;
  compute.compile_args = {kTimes};
  compute.defines = {{"INIT", init}, {"FUNCTION", call}};
  compute.opt_level = KernelBuildOptLevel::O3;  // tt-metal's for compute kernels
  CreateKernel(program, "firmware/kernels/microbenchmarks/vector_cycles.cpp", kFirstCore, compute);
  mesh.run(0, program);
  const std::vector<double> zones = zone_cycles(mesh, "tiles", contract::kTrisc1);
  return (zones.at(1) - zones.at(0)) / (2 * kTimes);
}

}  // namespace tvp::workloads::microbenchmarks
