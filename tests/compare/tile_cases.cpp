// Operations on tiles: matrix unit, unpackers and packers, functions of the vector unit.

#include "tests/compare/bench.h"
#include "tests/compare/case.h"

namespace tvp::compare {

using runtime::DataFormat;
using runtime::MathFidelity;

namespace {

/// The code of a kernel: preparation, and work per tile.
struct Operation {
  std::string name;
  std::string init;
  std::string each;
  unsigned operands = 1;
  bool one_result = false;  ///< one result for all tiles
  bool ones_in_b = false;   ///< ones as operand b instead of data
};

std::string source_of(const Operation& o) {
  std::string text = "#include \"api/compute/compute_kernel_api.h\"\n";
  text += "void kernel_main() {\n  constexpr uint32_t a = 0, b = 1, out = 16;\n";
  text += "  const uint32_t tiles = get_arg_val<uint32_t>(0);\n  " + o.init + "\n";
  for (unsigned cb = 0; cb < o.operands; ++cb)
    text += "  cb_wait_front(" + std::to_string(cb) + ", tiles);\n";
  const std::string results = o.one_result ? "1" : "tiles";
  text += "  cb_reserve_back(out, " + results + ");\n";
  const std::string pack =
      "tile_regs_commit(); tile_regs_wait(); pack_tile(0, out); tile_regs_release();\n";
  if (o.one_result) {
    text += "  tile_regs_acquire();\n  for (uint32_t t = 0; t < tiles; ++t) { " + o.each + " }\n";
    text += "  " + pack;
  } else {
    text += "  for (uint32_t t = 0; t < tiles; ++t) {\n    tile_regs_acquire();\n    " + o.each +
            "\n    " + pack + "  }\n";
  }
  return text + "  cb_push_back(out, " + results + ");\n}\n";
}

struct Variant {
  DataFormat in = DataFormat::Float16_b;
  DataFormat out = DataFormat::Float16_b;
  bool fp32_dst = false;
  MathFidelity fidelity = MathFidelity::HiFi4;
};

std::string name_of_variant(const Variant& v) {
  std::string name = std::string(".") + name_of(v.in) + "_" + name_of(v.out);
  if (v.fp32_dst) name += ".fp32_dst";
  const auto phases = static_cast<unsigned>(v.fidelity);
  return phases == 4 ? name : name + (phases == 0 ? ".lofi" : ".hifi" + std::to_string(phases));
}

constexpr unsigned kTiles = 2;

void add(std::vector<Case>& cases, const Operation& operation, const Variant& v,
         std::initializer_list<Data> kinds) {
  for (const Data data : kinds) {
    Case c;
    c.name = operation.name + name_of_variant(v) + "." + name_of(data);
    c.run = [operation, v, data](Bench& bench, Random& random) {
      TileProgram program{.source = source_of(operation),
                          .fp32_dst = v.fp32_dst,
                          .fidelity = v.fidelity,
                          .operands = {},
                          .result = v.out,
                          .result_tiles = operation.one_result ? 1 : kTiles,
                          .args = {kTiles}};
      for (unsigned i = 0; i < operation.operands; ++i) {
        Operand operand{v.in, {}};
        for (unsigned t = 0; t < kTiles; ++t) {
          const bool ones = operation.ones_in_b && i == 1;
          const Bytes tile = ones ? tile_of_ones(v.in) : draw_tile(v.in, data, random);
          operand.tiles.insert(operand.tiles.end(), tile.begin(), tile.end());
        }
        program.operands.push_back(operand);
      }
      return bench.run(program);
    };
    cases.push_back(std::move(c));
  }
}

constexpr auto kFloats = {Data::kNear, Data::kAny,  Data::kTies,
                          Data::kHuge, Data::kTiny, Data::kSpecial};
constexpr auto kFew = {Data::kNear, Data::kAny, Data::kSpecial};

void add_matmuls(std::vector<Case>& cases) {
  const Operation matmul{"matmul", "mm_init(a, b, out);", "matmul_tiles(a, b, t, t, 0);", 2, true};
  for (const DataFormat in :
       {DataFormat::Float16_b, DataFormat::Float32, DataFormat::Float16, DataFormat::Bfp8_b,
        DataFormat::Bfp4_b, DataFormat::Bfp2_b, DataFormat::Bfp8, DataFormat::Bfp4}) {
    const bool small = in == DataFormat::Bfp4_b || in == DataFormat::Bfp2_b ||
                       in == DataFormat::Bfp8 || in == DataFormat::Bfp4;
    for (const MathFidelity fidelity :
         {MathFidelity::LoFi, MathFidelity::HiFi2, MathFidelity::HiFi3, MathFidelity::HiFi4}) {
      for (const bool fp32_dst : {false, true}) {
        if (small && fidelity != MathFidelity::HiFi4 && fidelity != MathFidelity::LoFi) continue;
        const DataFormat out = fp32_dst ? DataFormat::Float32 : in;
        add(cases, matmul, {in, out, fp32_dst, fidelity}, small ? kFew : kFloats);
      }
    }
  }
}

void add_elementwise(std::vector<Case>& cases) {
  for (const std::string name : {"add", "sub", "mul"}) {
    const Operation plain{name, "binary_op_init_common(a, b, out); " + name + "_tiles_init(a, b);",
                          name + "_tiles(a, b, t, t, 0);", 2};
    for (const DataFormat in :
         {DataFormat::Float16_b, DataFormat::Float32, DataFormat::Float16, DataFormat::Bfp8_b}) {
      for (const bool fp32_dst : {false, true}) {
        add(cases, plain, {in, fp32_dst ? DataFormat::Float32 : in, fp32_dst}, kFloats);
      }
    }
    if (name == "mul") {
      for (const auto fidelity : {MathFidelity::LoFi, MathFidelity::HiFi2, MathFidelity::HiFi3})
        add(cases, plain, {DataFormat::Float16_b, DataFormat::Float16_b, false, fidelity}, kFew);
    }
    for (const std::string where : {"cols", "rows", "scalar"}) {
      const std::string kind = where == "cols" ? "COL" : where == "rows" ? "ROW" : "SCALAR";
      const Operation broadcast{name + "_bcast_" + where,
                                "init_bcast<ELW" +
                                    std::string(name == "add"   ? "ADD"
                                                : name == "sub" ? "SUB"
                                                                : "MUL") +
                                    ", BroadcastType::" + kind + ">(a, b, out);",
                                name + "_tiles_bcast<BroadcastType::" + kind + ">(a, b, t, t, 0);",
                                2};
      add(cases, broadcast, {}, kFew);
      add(cases, broadcast, {DataFormat::Float32, DataFormat::Float32, true}, kFew);
    }
  }
}

void add_reductions(std::vector<Case>& cases) {
  for (const std::string pool : {"SUM", "AVG", "MAX"}) {
    for (const std::string dim : {"ROW", "COL", "SCALAR"}) {
      const std::string types = "<PoolType::" + pool + ", ReduceDim::REDUCE_" + dim + ">";
      const Operation reduce{
          "reduce_" + pool + "_" + dim,
          "compute_kernel_hw_startup(a, b, out); reduce_init" + types + "(a, b, out);",
          "reduce_tile" + types + "(a, b, t, t, 0);",
          2,
          false,
          pool == "MAX"};
      add(cases, reduce, {}, kFew);
      add(cases, reduce, {DataFormat::Float32, DataFormat::Float32, true}, kFew);
    }
  }
}

void add_movements(std::vector<Case>& cases) {
  const Operation copy{"copy", "compute_kernel_hw_startup(a, out); copy_tile_init(a);",
                       "copy_tile(a, t, 0);"};
  const DataFormat formats[] = {DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16,
                                DataFormat::Bfp8_b,  DataFormat::Bfp4_b,    DataFormat::Bfp2_b,
                                DataFormat::Bfp8};
  for (const DataFormat in : formats) {
    for (const bool fp32_dst : {false, true}) {
      add(cases, copy, {in, in, fp32_dst}, {Data::kAny, Data::kSpecial});
      add(cases, copy, {in, fp32_dst ? DataFormat::Float32 : DataFormat::Float16_b, fp32_dst},
          {Data::kAny});
    }
  }
  for (const DataFormat out : formats) {
    add(cases, copy, {DataFormat::Float32, out, true}, {Data::kTies, Data::kSpecial});
  }
  for (const DataFormat whole : {DataFormat::UInt16, DataFormat::UInt8, DataFormat::Int8}) {
    add(cases, copy, {whole, whole}, {Data::kAny, Data::kSpecial});
  }
  for (const DataFormat whole : {DataFormat::Int32, DataFormat::UInt32}) {
    add(cases, copy, {whole, whole, true}, {Data::kAny, Data::kSpecial});
  }
  const Operation transpose{"transpose", "transpose_wh_init(a, out);",
                            "transpose_wh_tile(a, t, 0);"};
  add(cases, transpose, {}, {Data::kAny, Data::kSpecial});
  add(cases, transpose, {DataFormat::Float32, DataFormat::Float32, true}, {Data::kAny});
}

void add_functions(std::vector<Case>& cases) {
  for (const std::string name :
       {"exp", "recip", "sqrt", "rsqrt", "log", "tanh", "gelu", "sigmoid", "abs", "sign", "floor",
        "ceil", "sin", "relu", "square", "eqz", "ltz", "expm1"}) {
    const Operation function{name,
                             "init_sfpu(a, out); copy_tile_init(a); " + name + "_tile_init();",
                             "copy_tile(a, t, 0); " + name + "_tile(0);"};
    add(cases, function, {}, kFew);
    add(cases, function, {DataFormat::Float32, DataFormat::Float32, true}, kFew);
  }
}

}  // namespace

std::vector<Case> tile_cases() {
  std::vector<Case> cases;
  add_matmuls(cases);
  add_elementwise(cases);
  add_reductions(cases);
  add_movements(cases);
  add_functions(cases);
  return cases;
}

}  // namespace tvp::compare
