// Every tile operation of the compute kernel API on tiles of buffers 0 and 1.

#include "tests/firmware/programs/ops.h"

#include "api/compute/compute_kernel_api.h"
#include "api/compute/tilize.h"
#include "api/compute/untilize.h"

namespace NAMESPACE {

constexpr uint32_t kA = 0;
constexpr uint32_t kB = 1;

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
static void binary(uint32_t tile) {
  if (tile == 0) init_binary<kType, kBroadcast>(kA, kB);
  any_tiles_bcast<kType, kBroadcast>(kA, kB, tile, tile, 0);
}

template <EltwiseBinaryType kType>
static void binary(unsigned broadcast, uint32_t tile) {
  switch (broadcast) {
    case 0:
      return binary<kType, BroadcastType::NONE>(tile);
    case 1:
      return binary<kType, BroadcastType::COL>(tile);
    case 2:
      return binary<kType, BroadcastType::ROW>(tile);
    default:
      return binary<kType, BroadcastType::SCALAR>(tile);
  }
}

// Called alone, as by kernels with one input: no earlier call has set formats.
static void start_repeat(unsigned broadcast, uint32_t out) {
  switch (broadcast) {
    case 0:
      return unary_bcast_init<BroadcastType::NONE>(kB, out);
    case 1:
      return unary_bcast_init<BroadcastType::COL>(kB, out);
    case 2:
      return unary_bcast_init<BroadcastType::ROW>(kB, out);
    default:
      return unary_bcast_init<BroadcastType::SCALAR>(kB, out);
  }
}

template <BroadcastType kBroadcast>
static void repeat(uint32_t tile) {
  unary_bcast<kBroadcast>(kB, tile, 0);
}

static void repeat(unsigned broadcast, uint32_t tile) {
  switch (broadcast) {
    case 0:
      return repeat<BroadcastType::NONE>(tile);
    case 1:
      return repeat<BroadcastType::COL>(tile);
    case 2:
      return repeat<BroadcastType::ROW>(tile);
    default:
      return repeat<BroadcastType::SCALAR>(tile);
  }
}

template <PoolType kPool, ReduceDim kDim>
static void reduce(const tvp::test::OpParameters& p, uint32_t first, uint32_t tile) {
  if (tile == 0) reduce_init<kPool, kDim>(kA, kB, p.out);
  for (uint32_t t = first; t <= tile; ++t) {
#if COMPILE_FOR_TRISC == 0
    // The matrix unit reaches the next tile long before the unpackers.
    if (t != first)
      for (unsigned i = 0; i < 400; ++i) llk::push(tvp::regs::tensix::encode_nop());
#endif
    reduce_tile<kPool, kDim>(kA, kB, t, 0, 0);
  }
}

template <PoolType kPool, ReduceDim kDim>
static void reduce_then_negate(const tvp::test::OpParameters& p, uint32_t tile) {
  reduce_init<kPool, kDim>(kA, kB, p.out);
  reduce_tile<kPool, kDim>(kA, kB, tile, 0, 0);
  reduce_uninit();
  negative_tile_init();
  negative_tile(0);
}

template <PoolType kPool, ReduceDim kDim>
static void reduce_beside(const tvp::test::OpParameters& p, uint32_t tile) {
  reduce_init<kPool, kDim>(kA, kB, p.out);
  reduce_tile<kPool, kDim>(kA, kB, tile, 0, 1);
  reduce_uninit();
}

template <EltwiseBinaryType kType, EltwiseBinaryReuseDestType kReuse>
static void reuse(uint32_t tile) {
  add_tiles_init(kA, kB);
  add_tiles(kA, kB, tile, tile, 0);
  binary_dest_reuse_tiles_init<kType, kReuse>(kB);
  binary_dest_reuse_tiles<kType, kReuse>(kB, tile, 0);
}

static void compute(const tvp::test::OpParameters& p, uint32_t tile) {
  using tvp::test::Op;
  switch (p.op) {
    case Op::kCopy:
      if (tile == 0) copy_tile_init(kA);
      copy_tile(kA, tile, 0);
      break;
    case Op::kRepeat:
      repeat(p.broadcast, tile);
      break;
    case Op::kAdd:
      binary<ELWADD>(p.broadcast, tile);
      break;
    case Op::kSubtract:
      binary<ELWSUB>(p.broadcast, tile);
      break;
    case Op::kMultiply:
      binary<ELWMUL>(p.broadcast, tile);
      break;
    case Op::kMultiplyAccumulate:
      if (tile == 0) mul_bcast_cols_init_short(kA, kB, true);
      mul_tiles_bcast_cols(kA, kB, tile, tile, 0);
      mul_tiles_bcast_cols(kA, kB, tile, tile == 0 ? 1 : 0, 0);
      break;
    case Op::kMatmul:
      if (tile == 0) mm_init_short(kA, kB);
      matmul_tiles(kA, kB, tile, tile, 0);
      break;
    case Op::kMaxColumns:
      if (tile == 0) reduce_init<PoolType::MAX, ReduceDim::REDUCE_COL>(kA, kB, p.out);
      reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(kA, kB, tile, 0, 0);
      break;
    case Op::kExp:
      if (tile == 0) copy_tile_init(kA);
      if (tile == 0) exp_tile_init();
      copy_tile(kA, tile, 0);
      exp_tile(0, p.vector_mode);
      break;
    case Op::kReciprocal:
      if (tile == 0) copy_tile_init(kA);
      if (tile == 0) recip_tile_init();
      copy_tile(kA, tile, 0);
      recip_tile(0, p.vector_mode);
      break;
    case Op::kMax:
      if (tile == 0) copy_tile_init(kA);
      copy_tile(kA, tile, 1);
      copy_tile(kB, tile, 2);
      binary_max_tile(1, 2, 0, p.vector_mode);
      break;
    case Op::kRelu:
      if (tile == 0) copy_init(kA);
      if (tile == 0) relu_tile_init();
      copy_tile(kA, tile, 0);
      relu_tile(0);
      break;
    case Op::kSquare:
      if (tile == 0) copy_init(kA);
      if (tile == 0) square_tile_init();
      copy_tile(kA, tile, 0);
      square_tile(0);
      break;
    case Op::kNegative:
      if (tile == 0) copy_init(kA);
      if (tile == 0) negative_tile_init();
      copy_tile(kA, tile, 0);
      negative_tile(0);
      break;
    case Op::kReduceSumRow:
      reduce<PoolType::SUM, ReduceDim::REDUCE_ROW>(p, tile, tile);
      break;
    case Op::kReduceSumColumn:
      reduce<PoolType::AVG, ReduceDim::REDUCE_COL>(p, tile, tile);
      break;
    case Op::kReduceSumScalar:
      reduce<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(p, tile, tile);
      break;
    case Op::kReduceMaxRow:
      reduce<PoolType::MAX, ReduceDim::REDUCE_ROW>(p, tile, tile);
      break;
    case Op::kReduceMaxColumn:
      reduce<PoolType::MAX, ReduceDim::REDUCE_COL>(p, tile, tile);
      break;
    case Op::kReduceMaxScalar:
      reduce<PoolType::MAX, ReduceDim::REDUCE_SCALAR>(p, tile, tile);
      break;
    case Op::kBlockMaxRow:
      reduce_block_max_row_init<3>();
      reduce_block_max_row<3>(kA, kB, 0, 0);
      reduce_block_max_row_uninit(kA);
      break;
    case Op::kReduceRowThenNegate:
      reduce_then_negate<PoolType::SUM, ReduceDim::REDUCE_ROW>(p, tile);
      break;
    case Op::kReduceColumnThenNegate:
      reduce_then_negate<PoolType::MAX, ReduceDim::REDUCE_COL>(p, tile);
      break;
    case Op::kReduceScalarThenNegate:
      reduce_then_negate<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(p, tile);
      break;
    case Op::kReduceMaxScalarThenNegate:
      reduce_then_negate<PoolType::MAX, ReduceDim::REDUCE_SCALAR>(p, tile);
      break;
    case Op::kCopyBesideReductions:
      copy_init(kA);
      copy_tile(kA, tile, 0);
      reduce_beside<PoolType::SUM, ReduceDim::REDUCE_ROW>(p, tile);
      reduce_beside<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(p, tile);
      reduce_beside<PoolType::MAX, ReduceDim::REDUCE_ROW>(p, tile);
      reduce_beside<PoolType::MAX, ReduceDim::REDUCE_SCALAR>(p, tile);
      break;
    case Op::kReduceAllMaxRow:
      reduce<PoolType::MAX, ReduceDim::REDUCE_ROW>(p, 0, tile);
      break;
    case Op::kReduceAllSumScalar:
      reduce<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(p, 0, tile);
      break;
    case Op::kTranspose:
      if (tile == 0) transpose_wh_init_short(kA);
      transpose_wh_tile(kA, tile, 0);
      break;
    case Op::kTransposeByCopy:
      if (tile == 0) copy_tile_to_dst_init_short(kA, 1, 1);
      copy_tile(kA, tile, 0);
      break;
    case Op::kAddRow:
      if (tile == 0) add_bcast_rows_init_short(kA, kB);
      add_tiles_bcast_rows(kA, kB, tile, tile, 0, TVP_TEST_TILE_ROWS == 32 ? 21 : 5);
      break;
    case Op::kReuseAdd:
      reuse<ELWADD, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(tile);
      break;
    case Op::kReuseSubtract:
      reuse<ELWSUB, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(tile);
      break;
    case Op::kReuseMultiply:
      reuse<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(tile);
      break;
    case Op::kPackRelu:
      if (tile == 0) copy_init(kA);
      if (tile == 0) pack_relu_config(ZERO_RELU);
      copy_tile(kA, tile, 0);
      break;
    case Op::kTilize:
    case Op::kUntilize:
    case Op::kPackUntilize:
      break;  // change_layout()
  }
}

// Four tiles: a row of four or two rows of two.
static void change_layout(const tvp::test::OpParameters& p) {
  using tvp::test::Op;
  if (p.op == Op::kTilize) {
    tilize_init(kA, 2, p.out);
    tilize_block(kA, 2, p.out);
    tilize_block(kA, 2, p.out, 2, 2);
    tilize_uninit(kA, p.out);
  } else if (p.op == Op::kUntilize) {
    untilize_init(kA);
    untilize_block(kA, 4, p.out);
    untilize_uninit(kA);
  } else {
    pack_untilize_init<1, 2>(kA, p.out);
    pack_untilize_block<1, 2>(kA, 2, p.out, 0);
    tile_regs_acquire();
    copy_tile(kA, 2, 0);
    copy_tile(kA, 3, 1);
    tile_regs_commit();
    tile_regs_wait();
    pack_untilize_dest<1, 2>(p.out, 2, 1);
    tile_regs_release();
    pack_untilize_uninit(p.out);
  }
}

void MAIN {
  const tvp::test::OpParameters& p = tvp::test::op_parameters;
  if (p.op == tvp::test::Op::kRepeat) {
    start_repeat(p.broadcast, p.out);
  } else {
    compute_kernel_hw_startup(kA, kB, p.out);
  }
  cb_wait_front(kA, p.tiles);
  cb_wait_front(kB, p.tiles);
  const bool layout = p.op >= tvp::test::Op::kTilize;
  if (layout) {
    cb_reserve_back(p.out, p.tiles);
    change_layout(p);
    cb_push_back(p.out, p.tiles);
  }
  for (uint32_t tile = 0; !layout && tile < p.tiles; ++tile) {
    tile_regs_acquire();
    compute(p, tile);
    tile_regs_commit();
    cb_reserve_back(p.out, 1);
    tile_regs_wait();
    pack_tile(0, p.out);
    cb_push_back(p.out, 1);
    tile_regs_release();
  }
  reduce_uninit();
  pack_relu_config(NO_RELU);
  cb_pop_front(kA, p.tiles);
  cb_pop_front(kB, p.tiles);
}

}  // namespace NAMESPACE
