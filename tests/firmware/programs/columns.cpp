// Operations down the columns of 32x32 tiles, random numbers and quantization.

#include "tests/firmware/programs/columns.h"

#include "api/compute/compute_kernel_api.h"

namespace NAMESPACE {

constexpr uint32_t kFloats = 4, kIndices = 2, kIntegers = 0;
constexpr uint32_t kOutFloats = 5, kOutIndices = 17, kOutIntegers = 16, kOutFp32 = 18;

static void load(uint32_t cb, uint32_t tiles, uint32_t first) {
  reconfig_data_format_srca(cb);
  copy_tile_init(cb);
  cb_wait_front(cb, tiles);
  for (uint32_t i = 0; i < tiles; ++i) copy_tile(cb, i, first + i);
}
static void store(uint32_t cb, uint32_t tiles, uint32_t first) {
  pack_reconfig_data_format(cb);
  cb_reserve_back(cb, tiles);
  for (uint32_t i = 0; i < tiles; ++i) pack_tile(first + i, cb);
  cb_push_back(cb, tiles);
}

static void sort(const tvp::test::ColumnsParameters& p) {
  const int k = 1 << p.log_k;
  tile_regs_acquire();
  load(kFloats, 2, 0);
  load(kIndices, 2, 2);
  topk_tile_init();
  topk_local_sort(0, p.up, p.log_k - 1);
  if (p.op == tvp::test::ColumnsOp::kTopK) {
    for (int round = 0; k << round <= 32; ++round) {
      if (p.up) {
        topk_merge<true>(0, round, k);
      } else {
        topk_merge<false>(0, round, k);
      }
      topk_rebuild(0, p.up, round, k, p.log_k, k << round == 32);
    }
  }
  tile_regs_commit();
  tile_regs_wait();
  store(kOutFloats, 2, 0);
  store(kOutIndices, 2, 2);
  tile_regs_release();
}

static void sum(const tvp::test::ColumnsParameters& p) {
  cb_wait_front(kFloats, p.tiles);
  cumsum_tile_init();
  copy_tile_init(kFloats);
  for (uint32_t i = 0; i < p.tiles; ++i) {
    tile_regs_acquire();
    copy_tile(kFloats, i, 0);
    cumsum_tile(0, i == 0);
    tile_regs_commit();
    tile_regs_wait();
    store(kOutFp32, 1, 0);
    tile_regs_release();
  }
}

static void welford(const tvp::test::ColumnsParameters& p) {
  constexpr std::array<uint32_t, 0> kNoTable{};
  cb_wait_front(kFloats, p.tiles);
  copy_tile_init(kFloats);
  tile_regs_acquire();
  welford_init();
  uint32_t seen = 0;
  for (uint32_t i = 0; i + 1 < p.tiles; ++i, seen += 32) {
    copy_tile(kFloats, i, 0);
    welford_update<0>(0, seen, kNoTable);
    welford_save_state(1, 3);
    negative_tile_init();
    negative_tile(0);  // other work in between
    welford_restore_state(1, 3);
  }
  copy_tile(kFloats, p.tiles - 1, 0);
  welford_update_rows<0>(0, seen, 0, 5, kNoTable);
  welford_update_rows<0>(0, seen + 5, 5, p.last_rows - 5, kNoTable);
  welford_finalize_to_row<0>(1, seen + p.last_rows - 1, kNoTable);
  tile_regs_commit();
  tile_regs_wait();
  store(kOutFp32, 2, 1);
  tile_regs_release();
}

static void integers(const tvp::test::ColumnsParameters& p) {
  using tvp::test::ColumnsOp;
  tile_regs_acquire();
  load(kIntegers, p.op == ColumnsOp::kIntegerAdd ? 2 : 1, 0);
  sfpu_sum_int_init();
  if (p.op == ColumnsOp::kIntegerColumns) sfpu_sum_int_col(0);
  if (p.op == ColumnsOp::kIntegerRows) sfpu_sum_int_row(0);
  if (p.op == ColumnsOp::kIntegerAdd) sfpu_add_int(0, 1);
  tile_regs_commit();
  tile_regs_wait();
  store(kOutIntegers, 1, 0);
  tile_regs_release();
}

static void floats(const tvp::test::ColumnsParameters& p) {
  using tvp::test::ColumnsOp;
  constexpr uint32_t kHalf = 0x3F000000, kThree = 0x40400000;
  const bool from_integers = p.op == ColumnsOp::kRequantize || p.op == ColumnsOp::kDequantize;
  const bool to_integers = p.op == ColumnsOp::kRequantize || p.op == ColumnsOp::kQuantize;
  tile_regs_acquire();
  load(from_integers ? kIntegers : kFloats, 1, 0);
  fill_tile(1, 0.5f);
  if (p.op == ColumnsOp::kUniform) {
    rand_tile_init(p.seed);
    rand_tile(0, kThree, kHalf);
  }
  if (p.op == ColumnsOp::kDropout) {
    dropout_kernel_init(p.seed);
    dropout_tile_init(p.seed);            // the same function's earlier name
    dropout_tile(0, 0x20000000, kThree);  // probability 1/4
  }
  if (p.op == ColumnsOp::kQuantize) {
    quant_tile_init(kThree);
    quant_tile(0, 1, 0);
  }
  if (p.op == ColumnsOp::kRequantize) {
    requant_tile_init(kThree);
    requant_tile(0, 1, 0);
  }
  if (p.op == ColumnsOp::kDequantize) {
    dequant_tile_init(kThree);
    dequant_tile(0, 1, 0);
  }
  tile_regs_commit();
  tile_regs_wait();
  store(to_integers ? kOutIntegers : kOutFp32, 1, 0);
  tile_regs_release();
}

void MAIN {
  using tvp::test::ColumnsOp;
  const tvp::test::ColumnsParameters& p = tvp::test::columns_parameters;
  init_sfpu(kFloats, kOutFloats);
  switch (p.op) {
    case ColumnsOp::kSort:
    case ColumnsOp::kTopK:
      return sort(p);
    case ColumnsOp::kSum:
      return sum(p);
    case ColumnsOp::kWelford:
      return welford(p);
    case ColumnsOp::kIntegerColumns:
    case ColumnsOp::kIntegerRows:
    case ColumnsOp::kIntegerAdd:
      return integers(p);
    default:
      return floats(p);
  }
}

}  // namespace NAMESPACE
